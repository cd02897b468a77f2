"""Documents and quotes made from a seed: many scripts, and the ways in which copies of a text differ."""

import random
import unicodedata
from collections.abc import Callable, Sequence

VOCABULARIES = {
    "english": "the pump office first fire flow efficient well-known results stayed above shall must naïve café",
    "german": "der Wärmepumpe Größe Straße fällt über maßgeblich außen Kältemittel übrigens Prüfung höchstens",
    "french": "l'été déjà où le cœur élève garçon hôpital naïf forêt mangé coût très français événement",
    "greek": "η θερμοκρασία πρέπει να είναι μεγαλύτερη από το όριο λόγος δοκιμή",
    "russian": "температура должна быть выше предела насос работает зимой без перерыва ёлка",
    "arabic": "يجب أن تكون كلمة المرور طويلة بما يكفي دائما في الشتاء",
    "hebrew": "הסיסמה חייבת להיות ארוכה מספיק תמיד בחורף ללא הפסקה",
    "hindi": "पासवर्ड की लंबाई कम से कम बारह अक्षर होनी चाहिए हमेशा ज़रूरी",
    "chinese": "密码长度 至少 为十二个字符 并且 不得 重复使用 旧密码",
    "korean": "비밀번호는 열두 글자 이상이어야 한다 겨울에도 작동한다",
    "mixed": "𝔘nicode 🙂 ５０ km² x² H₂O ﬁne ½ 3.5 12,500 2024 №7 ™ Ⅳ",
}
FOREIGN = "zxqv jjkw qqxz wvvx kzzj xxqj vwqk zzvx jqxw kkvq"  # no word of these stands in a document
MARKS = (".", ",", ";", ".", ".", "…", "!", "?")


def words_of(rng: random.Random) -> list[str]:
    names = rng.sample(sorted(VOCABULARIES), rng.randint(1, 3))
    return [word for name in names for word in VOCABULARIES[name].split()]


def document(rng: random.Random, sentences: int = 3) -> str:
    """Sentences of one to three scripts with quotation marks, dashes, figures and line breaks."""
    words = words_of(rng)
    return "".join(_sentence(rng, words) + rng.choice((" ", " ", "\n", "\n\n")) for _ in range(sentences))


def _sentence(rng: random.Random, words: Sequence[str]) -> str:
    parts = rng.choices(words, k=rng.randint(6, 16))
    parts.insert(rng.randint(1, 5), str(rng.choice((rng.randint(2, 99_999), rng.random().__round__(3)))))
    if rng.random() < 0.3:
        parts[2] = f"“{parts[2]}”"
    if rng.random() < 0.3:
        parts.insert(4, "—")
    return " ".join(parts) + rng.choice(MARKS)


def slice_of(rng: random.Random, text: str, words: int) -> tuple[int, str]:
    """Return the place of a run of so many words, and the run as it stands."""
    starts = [0, *(place + 1 for place, each in enumerate(text) if each.isspace())]
    starts = [place for place in starts if place < len(text) and not text[place].isspace()]
    first = rng.randrange(max(1, len(starts) - words))
    last = starts[min(first + words, len(starts) - 1)]
    return starts[first], text[starts[first] : last].rstrip() or text[starts[first] :].rstrip()


def _inside(rng: random.Random, word: str, inserted: str) -> str:
    """`word` with something between two of its letters, where it is letters only."""
    if len(word) < 4 or not word.isalpha() or not word.isascii():
        return word
    place = rng.randint(1, len(word) - 1)
    return word[:place] + inserted + word[place:]


def _straight(word: str) -> str:
    return word.translate(str.maketrans("“”’—", '""\'–'))


TYPOGRAPHY: tuple[Callable[[random.Random, str], str], ...] = (
    lambda rng, word: word,
    lambda rng, word: word.upper() if word.upper().casefold() == word.casefold() else word,
    lambda rng, word: _straight(word),
    lambda rng, word: _inside(rng, word, "\u00ad"),
    lambda rng, word: _inside(rng, word, "\u200b"),
    lambda rng, word: _inside(rng, word, "-\n   "),
    lambda rng, word: _inside(rng, word, "\u00ad\n"),
    lambda rng, word: word.replace("ffi", "ﬃ").replace("fi", "ﬁ").replace("fl", "ﬂ"),
    lambda rng, word: unicodedata.normalize("NFD", word),
    lambda rng, word: unicodedata.normalize("NFKC", word),
    lambda rng, word: word.translate({ord(digit): ord(digit) + 0xFEE0 for digit in "0123456789"}),
    lambda rng, word: word.replace("...", "…"),
)
SPACES = (" ", " ", " ", "\n", "  ", "\u00a0", "\t", "\r\n", "\u2009", " \n ")


def retypeset(rng: random.Random, words: str) -> str:
    """The same words in other typography: marks, dashes, ligatures, hyphenation, white space, forms, case."""
    parts = [rng.choice(TYPOGRAPHY)(rng, word) for word in words.split()]
    return "".join(part + rng.choice(SPACES) for part in parts).strip()


def edit_words(rng: random.Random, words: str, edits: int) -> str:
    """The words with so many letters changed, left out or put in, none of which stands in a document."""
    letters = list(words)
    for _ in range(edits):
        place = rng.randrange(1, len(letters) - 1)
        kind = rng.choice("cio")
        if kind == "c":
            letters[place] = "ж" if letters[place] != "ж" else "q"
        elif kind == "i":
            letters.insert(place, "ѯ")
        else:
            del letters[place]
    return "".join(letters)
