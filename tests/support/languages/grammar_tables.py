"""Names and the forms they take: the same tables for sentences of the server and of scripts."""

from __future__ import annotations

_FORMS = """
    en gen  Red > Red's | Rings > Rings' | Foxes > Foxes' | Anne and Leo > Anne and Leo's | 2 > 2's
    fr de   Rouge > de Rouge | Anne > d'Anne | Élodie > d'Élodie | Marc > de Marc | Wendy > de Wendy
    fr de   Le Chat > du Chat | Les Renards > des Renards | les amis > des amis
    fr de   La Bande > de La Bande | L'Équipe > de L'Équipe | Lesage > de Lesage | Léo > de Léo
    fr de   Hélène > d'Hélène | Hugo > d'Hugo | Hortense > d'Hortense | Hadrien > d'Hadrien
    fr de   Hamza > de Hamza | Héros > de Héros | Hiboux > de Hiboux | Hérissons > de Hérissons
    fr de   Héroïnes > d'Héroïnes | Hobbits > de Hobbits | Huit > de Huit | Hauts > de Hauts
    fr de   Yves > d'Yves | Yann > de Yann | Yvonne > d'Yvonne | Œdipe > d'Œdipe | Ours > d'Ours
    fr de   Onze > de Onze | Ouistitis > de Ouistitis | Oui > de Oui | Ouragan > d'Ouragan
    fr de   8 > de 8 | 🦊 > de 🦊 | _x_ > de _x_ | ÎLE > d'ÎLE | Unis > d'Unis
    fr à    Rouge > à Rouge | Anne > à Anne | Le Chat > au Chat | Les Renards > aux Renards
    fr À    Rouge > À Rouge | Anne > À Anne | Le Chat > Au Chat | Les Renards > Aux Renards
    fr que  Rouge > que Rouge | Anne > qu'Anne | Hugo > qu'Hugo | Le Chat > que Le Chat
    fr le   Rapide > le Rapide | Ordinaire > l'Ordinaire | Huit > le Huit
    fi gen  Ketut > Ketut-joukkueen | Sannin sankarit > Sannin sankarit -joukkueen
    fi par  Ketut > Ketut-joukkuetta | Sannin sankarit > Sannin sankarit -joukkuetta
    fi ade  Ketut > Ketut-joukkueella | Sannin sankarit > Sannin sankarit -joukkueella
    fi all  Ketut > Ketut-joukkueelle | Sannin sankarit > Sannin sankarit -joukkueelle
    fi abl  Ketut > Ketut-joukkueelta | Sannin sankarit > Sannin sankarit -joukkueelta
    sv gen  Röd > Röds | Blå > Blås | Ringarna > Ringarnas | Foxes > Foxes | Max > Max | Liz > Liz
    sv gen  Stol a > Stol a:s | Grupp 2 > Grupp 2:s | B > B:s | Tom och Jerry > Tom och Jerrys
"""
_NUMBERS = """
    en one      Red | Chair a | Anne | Chess | Octopus | Paris | The Team | 8
    en several  Anne, Leo | Rings | Blocks | Foxes | The Foxes | Anne and Leo | Tom & Jerry | FOXES
    fr one      Rouge | Anne | Lucas | Le Chat | Renards | Les | Lesage | Et
    fr several  Anne, Léo | Les Renards | les amis | Nos chats | Anne et Léo | Tom & Jerry
    fr several  Deux ours
    fi one      Punainen | Ketut | Anne ja Leo
    sv one      Röd | Rävarna | Anna och Leo
"""


def _cells(line: str, starts: int) -> tuple[list[str], list[str]]:
    *heads, rest = line.split(maxsplit=starts)
    return heads, [cell.strip() for cell in rest.split(" | ")]


def _typographic(text: str) -> str:
    """French has the curved apostrophe."""
    return text.replace("'", "\N{RIGHT SINGLE QUOTATION MARK}")


def _forms() -> list[tuple[str, str, str, str]]:
    rows = []
    for line in _FORMS.strip().splitlines():
        (language, form), cells = _cells(line, 2)
        for cell in cells:
            name, made = cell.split(" > ")
            if language == "fr":
                name, made = _typographic(name), _typographic(made)
            rows.append((language, form, name, made))
    return rows


def _numbers() -> list[tuple[str, str, bool]]:
    return [
        (language, name, number == "several")
        for line in _NUMBERS.strip().splitlines()
        for (language, number), cells in [_cells(line, 2)]
        for name in cells
    ]


FORMS = _forms()
"""A language, a form, a name and the name in that form."""
NUMBERS = _numbers()
"""A language, a name, and whether it means several."""
