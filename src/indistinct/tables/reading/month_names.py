"""The names of months in English, German, French, Spanish and Polish, whole and short."""

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
    "without accents": "janvier fevrier maerz avril mai juin juillet aout setiembre octobre "
    "novembre decembre",
}
# Per name, the number of the month with two digits; a name of two languages is of one month.
MONTHS: Mapping[str, str] = {
    name: f"{number:02d}"
    for names in NAMES.values()
    for number, name in enumerate(names.split(), start=1)
}
