"""Words -> tree, by recursive descent: one method per rule, one look at each word."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar, final

from indistinct.base.billionths import exact_number
from indistinct.errors import QuestionError
from indistinct.questions.database.relational import tree
from indistinct.questions.database.relational.functions import ARGUMENTS
from indistinct.questions.database.relational.tree import Constant, Expression, Operation, Select
from indistinct.questions.database.relational.words import (
    COMPARISONS,
    END,
    EXTRACTED,
    FIELDS,
    GRAMMAR,
    KEYWORDS,
    MEASURES,
    NOT_HERE,
    OPTIONS,
    Word,
    refusal,
    words_of,
)

Read = TypeVar("Read")


def parse(text: str) -> tree.Asked:
    """Read a question; refuse what is outside of the grammar, naming the part."""
    return _Parser(words_of(text)).asked()


@final
@dataclass(slots=True)
class _Parser:
    words: list[Word]
    place: int = 0

    @property
    def word(self) -> Word:
        return self.words[self.place]

    def take(self) -> Word:
        word = self.word
        self.place += word is not END
        return word

    def at(self, *texts: str) -> bool:
        """Return whether the next words are these."""
        ahead = self.words[self.place : self.place + len(texts)]
        return len(ahead) == len(texts) and all(
            one.kind in {"word", "mark"} and one.text == text
            for one, text in zip(ahead, texts, strict=True)
        )

    def skip(self, *texts: str) -> bool:
        found = self.at(*texts)
        self.place += len(texts) if found else 0
        return found

    def expect(self, text: str, after: str) -> None:
        if not self.skip(text):
            raise self.unexpected(f"does not follow {after}: {text} is expected")

    def unexpected(self, reason: str, way: str = GRAMMAR) -> QuestionError:
        word = self.word
        if word.kind == "word" and word.text in NOT_HERE:
            return refusal(word.text, "is not answered here", NOT_HERE[word.text])
        return refusal(word.spelt, reason, way)

    def asked(self) -> tree.Asked:
        named = self.listed(self.named) if self.skip("WITH") else ()
        options: list[tuple[str, Fraction]] = []
        select = self.select(options)
        if self.word is not END:
            raise self.unexpected("is not read here")
        return tree.Asked(select, named, tuple(options))

    def named(self) -> tuple[str, Select]:
        """Read a name and the select that it stands for."""
        name = self.name("WITH")
        self.expect("AS", name)
        return name, self.enclosed(self.select, "AS", "a SELECT")

    def enclosed(self, read: Callable[[], Read], after: str, what: str = "") -> Read:
        """Read something in parentheses."""
        self.expect("(", after)
        found = read()
        self.expect(")", what or after)
        return found

    def select(self, options: list[tuple[str, Fraction]] | None = None) -> Select:
        self.expect("SELECT", "the beginning of a question")
        if options is not None and self.skip("WITH", "DIFFERENTIAL_PRIVACY"):
            self.expect("OPTIONS", "DIFFERENTIAL_PRIVACY")
            options += self.enclosed(lambda: self.listed(self.option), "OPTIONS", "the options")
        if self.at("DISTINCT"):
            raise self.unexpected("is not answered here", "Write GROUP BY.")
        items = self.listed(self.item)
        self.expect("FROM", "what is selected")
        source = self.source()
        joins: list[tree.Join] = []
        while (join := self.join()) is not None:
            joins.append(join)
        where = self.expression() if self.skip("WHERE") else None
        groups = self.listed(self.expression) if self.skip("GROUP", "BY") else ()
        having = self.expression() if self.skip("HAVING") else None
        order = self.listed(self.ordered) if self.skip("ORDER", "BY") else ()
        limit = self.whole("LIMIT") if self.skip("LIMIT") else None
        return Select(items, source, tuple(joins), where, groups, having, order, limit)

    def option(self) -> tuple[str, Fraction]:
        name = self.name("OPTIONS").lower()
        if name not in OPTIONS:
            raise refusal(name, "is no option of a question", f"Use {', '.join(OPTIONS)}.")
        self.expect("=", name)
        return OPTIONS[name], self.number(self.take())

    def listed(self, read: Callable[[], Read]) -> tuple[Read, ...]:
        found = [read()]
        while self.skip(","):
            found.append(read())
        return tuple(found)

    def item(self) -> tree.Item:
        if self.at("*"):
            raise refusal(
                "SELECT *", "is not answered: rows are never shown", "Name columns or measures."
            )
        expression = self.expression()
        return tree.Item(expression, self.alias())

    def alias(self) -> str:
        if self.skip("AS"):
            return self.name("AS")
        is_name = self.word.kind == "name" or (
            self.word.kind == "word" and self.word.text not in KEYWORDS | NOT_HERE.keys()
        )
        return self.take().spelt if is_name else ""

    def name(self, after: str) -> str:
        word = self.word
        if word.kind == "name" or (word.kind == "word" and word.text not in KEYWORDS):
            return self.take().spelt
        raise self.unexpected(f"is no name, which {after} needs", "Put the name into quotes.")

    def whole(self, after: str) -> int:
        number = self.number(self.take())
        if number.denominator != 1 or not 0 <= number <= 10**6:
            raise refusal(after, "needs a whole number up to 1,000,000", "Write LIMIT 10.")
        return int(number)

    def number(self, word: Word) -> Fraction:
        found = exact_number(word.text) if word.kind == "number" else None
        if found is None or abs(found) > 10**15 or (found and abs(found) < Fraction(1, 10**15)):
            raise refusal(word.spelt, "is no number from 1e-15 to 1e15", "Use another unit.")
        return found

    def ordered(self) -> tuple[Expression, bool]:
        expression = self.expression()
        down = self.skip("DESC")
        _ = down or self.skip("ASC")
        return expression, down

    def source(self) -> tree.NamedSource:
        if self.at("("):
            select = self.enclosed(self.select, "FROM", "a SELECT")
            return tree.NamedSource(select=select, alias=self.alias())
        name = self.name("FROM")
        if self.skip("."):
            name = f"{name}.{self.name('.')}"
        return tree.NamedSource(name, alias=self.alias())

    def join(self) -> tree.Join | None:
        kind = "INNER"
        if self.at(","):
            raise self.unexpected("joins everything", "Write JOIN ... USING (person).")
        if self.skip("LEFT"):
            kind = "LEFT"
            self.skip("OUTER")
        elif not self.skip("INNER") and not self.at("JOIN"):
            return None
        self.expect("JOIN", kind)
        source = self.source()
        if self.skip("USING"):
            names = self.enclosed(lambda: self.listed(lambda: self.name("USING")), "USING")
            return tree.Join(kind, source, using=names)
        self.expect("ON", "JOIN")
        return tree.Join(kind, source, self.expression())

    def expression(self) -> Expression:
        return self.chain(("OR",), lambda: self.chain(("AND",), self.negation))

    def chain(self, operators: tuple[str, ...], read: Callable[[], Expression]) -> Expression:
        left = read()
        while any(self.at(one) for one in operators):
            left = Operation(self.take().text, left, read())
        return left

    def negation(self) -> Expression:
        is_negated = False
        while self.skip("NOT"):
            is_negated = not is_negated
        return self.negated(self.comparison(), is_negated)

    def comparison(self) -> Expression:
        left = self.sum()
        while True:
            if self.skip("IS"):
                negated = self.skip("NOT")
                if not self.skip("NULL"):
                    raise self.unexpected("does not follow IS", "Write IS NULL or IS NOT NULL.")
                left = self.negated(tree.IsNull(left), negated)
                continue
            negated = self.at("NOT") and (
                self.at("NOT", "IN") or self.at("NOT", "BETWEEN") or self.at("NOT", "LIKE")
            )
            self.place += negated
            if self.skip("IN"):
                left = self.negated(self.among(left), negated)
            elif self.skip("BETWEEN"):
                low = self.sum()
                self.expect("AND", "BETWEEN")
                both = Operation(
                    "AND", Operation(">=", left, low), Operation("<=", left, self.sum())
                )
                left = self.negated(both, negated)
            elif self.skip("LIKE"):
                left = self.negated(Operation("LIKE", left, self.sum()), negated)
            elif self.word.kind == "mark" and self.word.text in COMPARISONS:
                left = Operation(self.take().text, left, self.sum())
            else:
                return left

    def negated(self, inner: Expression, negated: bool) -> Expression:  # noqa: FBT001
        return tree.Negation("NOT", inner) if negated else inner

    def among(self, left: Expression) -> Expression:
        self.expect("(", "IN")
        if self.at("SELECT"):
            select = self.select()
            self.expect(")", "IN")
            return tree.Occurs(left, select)
        values = self.listed(self.sum)
        self.expect(")", "IN")
        return tree.Among(left, values)

    def sum(self) -> Expression:
        return self.chain(("+", "-"), lambda: self.chain(("*", "/"), self.signed))

    def signed(self) -> Expression:
        if self.skip("-"):
            inner = self.signed_once()
            if isinstance(inner, Constant) and isinstance(inner.value, Fraction):
                return Constant(-inner.value)
            return tree.Negation("-", inner)
        self.skip("+")
        return self.signed_once()

    def signed_once(self) -> Expression:
        if self.at("-") or self.at("+"):
            raise self.unexpected("is a second sign", "Write one sign.")
        return self.primary()

    def primary(self) -> Expression:  # noqa: PLR0911 - a kind each
        word = self.word
        if self.skip("("):
            if self.at("SELECT"):
                raise self.unexpected("stands for a value", "Join the select in FROM instead.")
            inner = self.expression()
            self.expect(")", "an expression")
            return inner
        if word.kind == "number":
            return Constant(self.number(self.take()))
        if word.kind == "text":
            return Constant(self.take().text)
        if word.kind == "word" and word.text in {"TRUE", "FALSE", "NULL"}:
            self.take()
            value = {"TRUE": True, "FALSE": False, "NULL": None}[word.text]
            return Constant(value, "" if value is None else "BOOLEAN")
        if self.at("CASE"):
            return self.case()
        if word.kind == "word" and self.words[self.place + 1].kind == "text":
            if word.text not in {"DATE", "TIMESTAMP"}:
                raise self.unexpected("is not read here")
            self.take()
            return Constant(self.take().text, word.text)
        if word.kind == "word" and self.words[self.place + 1].text == "(" and not self.at_name():
            return self.call()
        return self.column()

    def at_name(self) -> bool:
        return self.words[self.place + 1].kind != "mark"

    def column(self) -> Expression:
        first = self.name("an expression")
        parts = [first]
        while self.skip("."):
            if self.at("*"):
                raise refusal(
                    "SELECT *", "is not answered: rows are never shown", "Name columns or measures."
                )
            parts.append(self.name("."))
        return tree.Name(parts[-1], parts[-2] if len(parts) > 1 else "")

    def case(self) -> Expression:
        self.expect("CASE", "an expression")
        subject = None if self.at("WHEN") else self.sum()
        whens: list[tuple[Expression, Expression]] = []
        while self.skip("WHEN"):
            condition = self.expression()
            if subject is not None:
                condition = Operation("=", subject, condition)
            self.expect("THEN", "WHEN")
            whens.append((condition, self.expression()))
        if not whens:
            raise self.unexpected("does not follow CASE", "Write CASE WHEN ... THEN ... END.")
        otherwise = self.expression() if self.skip("ELSE") else None
        self.expect("END", "CASE")
        return tree.Case(tuple(whens), otherwise)

    def call(self) -> Expression:
        name = self.word.text
        known = ARGUMENTS.get(name) or MEASURES.get(name)
        if name == "EXTRACT":
            return self.extract()
        if known is None:
            way = NOT_HERE.get(name, "Use the functions that the documentation names.")
            raise refusal(name, "is not answered here", way)
        self.take()
        self.expect("(", name)
        distinct = name == "COUNT" and self.skip("DISTINCT")
        arguments: tuple[Expression, ...] = ()
        if name == "COUNT" and not distinct and self.skip("*"):
            pass
        elif not self.at(")"):
            arguments = self.listed(self.expression)
        self.expect(")", name)
        if not known[0] <= len(arguments) <= known[1]:
            raise refusal(name, "has too many or too few arguments", "Check what it is applied to.")
        if self.at("OVER"):
            raise self.unexpected("")
        filtered = None
        if name in MEASURES and self.skip("FILTER"):
            filtered = self.enclosed(self.condition, "FILTER")
        return tree.Call(name, arguments, distinct=distinct, filtered=filtered)

    def condition(self) -> Expression:
        self.expect("WHERE", "FILTER")
        return self.expression()

    def extract(self) -> Expression:
        self.take()
        return self.enclosed(self.extracted, "EXTRACT")

    def extracted(self) -> Expression:
        field = self.take()
        if field.text not in EXTRACTED:
            raise refusal(
                f"EXTRACT({field.spelt})", "is not answered here", f"Use {', '.join(FIELDS)}."
            )
        self.expect("FROM", field.text)
        return tree.Call("EXTRACT", (self.expression(),), field.text)
