"""Advice to break the law is no advice: it is left out, while warnings of it and lawful advice stay."""

import pytest

from research.pipelines.digest.safety.digest_dangerous_fields import DangerArea
from research.pipelines.digest.safety.judge_digest_safety import danger_in
from research.pipelines.digest.write_digest_by_rules import write_digest
from tests.pipelines.digest.test_drafting import texts_of

UNLAWFUL = (
    "Just put 250 days, nobody checks.",
    "Gib einfach 250 Tage an, das prüft doch keiner.",
    "Just edit the move-in report so that the scratches are on it, nobody keeps a copy.",
    "Go in with your old key and take the fridge, that makes you even.",
    "Gar nicht anmelden, das merkt sowieso keiner.",
    "Fake the doctor's certificate, they never look at it.",
    "Tell the insurance it was stolen, they always pay.",
    "Backdate the invoice to December and you are fine.",
    "I pay my cleaner cash in hand, saves us both money.",
    "Don't declare the income from the second flat.",
    "Einfach das Datum auf der Rechnung ändern.",
    "Die Nebeneinkünfte würde ich nicht versteuern, fällt eh nicht auf.",
    "Schwarz bezahlen ist halb so teuer.",
    "Just say it got lost and they'll refund the deposit, nobody verifies.",
    "Schreib mehr Kilometer ins Fahrtenbuch ein, das kontrolliert niemand.",
    "Slash his tyres and he will learn.",
    "Get a cracked version, works the same.",
    "You can drive without insurance for a few days, nobody checks.",
    "Sag der Versicherung nichts davon, das merkt niemand.",
    "Lie on the form about your income.",
)
LAWFUL = (
    "Altering the report is fraud, you would lose a case that you are winning.",
    "Sand it and nobody notices the seam.",
    "Wer nicht anmeldet, riskiert ein Bußgeld.",
    "Never lie on the form, they check.",
    "Edit the config file and restart the service.",
    "Send a written demand with a deadline of 14 days.",
    "Declare the income, otherwise it is tax evasion.",
    "Wer Tage angibt, die er im Büro war, begeht Steuerhinterziehung.",
    "Take the fridge out before you paint the wall.",
    "Nobody checks the oil these days, that is why engines die.",
    "Change the report format to PDF in the settings.",
    "Im Marktstammdatenregister anmelden genügt.",
    "Fake plants look fine in a dark corner.",
    "Das merkt man sofort an der Farbe.",
    "Don't register a company before you have a customer.",
    "Document everything and take photos on the day you move out.",
    "Adjust the date in the BIOS.",
    "You do not have to pay tax on this below 1,000 euros.",
    "Ask the landlord for the old key.",
    "He never knows when to stop feeding.",
    "Take your old phone, it still gets updates.",
    "Die Rechnung prüft keiner außer dir.",
    "I forged this knife from an old file.",
    "Steal the idea from the Danish garden next door.",
    "Ask your doctor for a letter and send it to your employer.",
    "Get your doctor to sign the form.",
    "Use the old key until the rotation is finished.",
    "Take the train and you are even faster.",
    "Gib mehr Details an, dann kann man dir helfen.",
    "Gebt mehr Daten ein, bevor ihr vergleicht.",
    "Türkische Teppiche werden so gereinigt.",
    "Klaus sagt, dass es hält.",
    "Das wurde fälschlicherweise als Schimmel erkannt.",
    "Torrent clients need an open port.",
    "Edit the invoice in the settings before you send it.",
    "Change the contract before you sign it.",
    "Keep some cash in hand for the market.",
    "Nimm die Haare hoch und frisiere sie locker.",
    "Fake leather holds for years, and there are photos of mine.",
    "Fake reviews fill the forms of that shop.",
    "Use the old key to open the box, then change the lock.",
    "Adjust the mileage of the schedule.",
    "You never pay tax on that allowance below 1000 euros.",
    "Wer nicht steuerpflichtig ist, muss nichts versteuern.",
    "Die Rechnung anpassen lassen, wenn die Adresse falsch ist.",
    "Klaubt die Steine vorher aus dem Beet.",
)


@pytest.mark.parametrize("sentence", UNLAWFUL)
def test_advice_to_break_the_law_is_left_out(sentence):
    danger = danger_in(sentence)
    assert danger is not None
    assert danger.field is DangerArea.LAW


@pytest.mark.parametrize("sentence", LAWFUL)
def test_warnings_and_lawful_advice_stay(sentence):
    danger = danger_in(sentence)
    assert danger is None or danger.field is not DangerArea.LAW


def test_what_an_answer_warns_of_with_injury_is_no_position():
    bodies = ("Put three of them on one strip, done.", "Never put them on a strip, it can catch fire.")
    comments = [
        {"id": "c1", "parent_id": "t3_p", "author": "ann", "body": bodies[0], "score": 9},
        {"id": "c2", "parent_id": "t1_c1", "author": "bob", "body": bodies[1], "score": 8},
    ]
    title = "How do I connect three heaters?"
    post = {
        "id": "p",
        "title": title,
        "selftext": "",
        "author": "op",
        "score": 5,
        "url": "https://f.example/p/",
    }
    posts = texts_of({"query": "connect heaters", "posts": [post | {"comments": comments}]})
    draft = write_digest("connect heaters", posts, 600)
    texts = [item.text for caution in draft.cautions for item in caution.items]
    texts += [item.text for item in (*draft.summary, *draft.highlights)]
    assert any(text.startswith("Never put them") for text in texts)
    assert not any(text.startswith("Put three") for text in texts)


def test_the_professional_to_ask_fits_the_question():
    danger = danger_in(
        "Put a needle in it, let the gas out, close it up again.", near="swollen laptop battery"
    )
    assert danger is not None
    assert danger.field is DangerArea.BATTERY
