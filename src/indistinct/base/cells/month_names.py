"""The names of months in the languages of Europe and in Indonesian, whole and short."""

from __future__ import annotations

from collections.abc import Mapping

NAMES: Mapping[str, str] = {
    "en": "january february march april may june july august september october november december",
    "de": "januar februar märz april mai juni juli august september oktober november dezember",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre "
    "diciembre",
    "pl": "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października "
    "listopada grudnia",
    "austrian": "jänner feber märz april mai juni juli august september oktober november dezember",
    "with four letters": "jan feb mar apr may jun jul aug sept oct nov dec",
    "short": "jan feb mar apr may jun jul aug sep oct nov dec",
    "kurz": "jän feb mrz apr mai jun jul aug sep okt nov dez",
    "court": "janv févr mars avr mai juin juil août sept oct nov déc",
    "corto": "ene feb mar abr may jun jul ago sep oct nov dic",
    "krótki": "sty lut mar kwi maj cze lip sie wrz paź lis gru",
    "plain": "styczeń luty marzec kwiecień maj czerwiec lipiec sierpień wrzesień październik "
    "listopad grudzień",
    "it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre "
    "dicembre",
    "it, short": "gen feb mar apr mag giu lug ago set ott nov dic",
    "pt": "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro "
    "dezembro",
    "pt, short": "jan fev mar abr mai jun jul ago set out nov dez",
    "nl": "januari februari maart april mei juni juli augustus september oktober november december",
    "nl, short": "jan feb mrt apr mei jun jul aug sep okt nov dec",
    "cs": "ledna února března dubna května června července srpna září října listopadu prosince",
    "cs, plain": "leden únor březen duben květen červen červenec srpen září říjen listopad "
    "prosinec",
    "sk": "januára februára marca apríla mája júna júla augusta septembra októbra novembra "
    "decembra",
    "hu": "január február március április május június július augusztus szeptember október "
    "november december",
    "hu, short": "jan febr márc ápr máj jún júl aug szept okt nov dec",
    "ro": "ianuarie februarie martie aprilie mai iunie iulie august septembrie octombrie "
    "noiembrie decembrie",
    "sv": "januari februari mars april maj juni juli augusti september oktober november december",
    "da": "januar februar marts april maj juni juli august september oktober november december",
    "nb": "januar februar mars april mai juni juli august september oktober november desember",
    "fi": "tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesäkuuta heinäkuuta elokuuta "
    "syyskuuta lokakuuta marraskuuta joulukuuta",
    "tr": "ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık",  # noqa: RUF001 - Turkish
    "id": "januari februari maret april mei juni juli agustus september oktober november desember",
    "ru": "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
    "uk": "січня лютого березня квітня травня червня липня серпня вересня жовтня листопада грудня",
    "el": "ιανουαρίου φεβρουαρίου μαρτίου απριλίου μαΐου ιουνίου ιουλίου αυγούστου σεπτεμβρίου "
    "οκτωβρίου νοεμβρίου δεκεμβρίου",
    "without accents": "janvier fevrier maerz avril mai juin juillet aout setiembre octobre "
    "novembre decembre",
}
# Per name, the number of the month with two digits; a name of two languages is of one month.
MONTHS: Mapping[str, str] = {
    name: f"{number:02d}"
    for names in NAMES.values()
    for number, name in enumerate(names.split(), start=1)
}
