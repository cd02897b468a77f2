"""A made set: 200 sentences with one datum each, in the forms in which people write them, and 60 with none.

Nobody's data: numbers from the ranges that are kept for examples, or with check digits computed here.
"""

from dataclasses import dataclass

from research.llm.call_store.model_call_personal_data import PersonalDataKind


@dataclass(frozen=True)
class Case:
    text: str
    kind: PersonalDataKind
    datum: str


def cases(kind, pairs):
    return [Case(frame.replace("#", datum), kind, datum) for frame, datum in pairs]


def cross_cases(kind, frames, data):
    return cases(kind, [(frames[n % len(frames)], datum) for n, datum in enumerate(data)])


def ean13(twelve):
    odd, even = (sum(map(int, twelve[start::2])) for start in (0, 1))
    return twelve + str(-(odd + 3 * even) % 10)


def ahv(serial, mark="."):
    digits = ean13(f"756{serial:09d}")
    return mark.join((digits[:3], digits[3:7], digits[7:11], digits[11:]))


def iban(country, account):
    turned = "".join(str(int(letter, 36)) for letter in f"{account}{country}00")
    return f"{country}{98 - int(turned) % 97:02d}{account}"


def in_fours(number):
    return " ".join(number[start : start + 4] for start in range(0, len(number), 4))


EMAIL_FRAMES = [
    "Write to # for the data.",
    "Kontakt: #",
    "<a href='mailto:#'>mail</a>",
    "Corresponding author (#), 2021.",
    "E-Mail an #, bitte bis Freitag.",
]
EMAILS = """ada.lovelace@example.com bob@example.org c.d-e@uni.example.ch j_doe+news@mail.example.co.uk
x@example.io MARIE.CURIE@EXAMPLE.FR hans-peter.mueller@firma.example.de info@sub.dept.example.edu
123456@example.net o.k@example.travel first.last@example.museum a-b_c+d@example.com
user99@example.biz kontakt@xn--mller-kva.example press@example.eu z.z.z@example.ac.jp
team-lead@example.com.au r2d2@example.space anna_k@example.at support+1@example.app joão@example.pt
müller@example.de n.o-reply@example.info q@example.dev long.name.with.dots@very.long.example.org""".split()

PHONE_FRAMES = [
    "Call # today.",
    "Tel. #",
    "Telefon: # (Zentrale)",
    "Sie erreichen uns unter #.",
    "Her number is #, after six.",
    "Phone #, fax on request",
]
PHONES = [
    "+41 44 668 18 00",
    "+41446681800",
    "044 668 18 00",
    "0041 44 668 18 00",
    "+41 (0)44 668 18 00",
    "079 123 45 67",
    "+49 30 901820",
    "030/901820",
    "030 9018 2000",
    "+49 (0) 30 90182000",
    "0176 12345678",
    "+49-176-12345678",
    "+1 202 555 0173",
    "(202) 555-0173",
    "202-555-0173",
    "202.555.0173",
    "+1-202-555-0173",
    "+1 (202) 555-0173",
    "+44 20 7946 0958",
    "020 7946 0958",
    "(020) 7946 0958",
    "+44 7700 900123",
    "07700 900123",
    "+33 1 99 00 12 34",
    "01 99 00 12 34",
    "+39 06 6988 3145",
    "+34 912 345 678",
    "+43 1 534 53 0",
    "+81 3 1234 5678",
    "+61 2 5550 1234",
]

IBAN_FRAMES = ["Please pay to #.", "IBAN: #", "Konto # bei der Bank", "the account # was closed"]
IBANS = [
    "CH93 0076 2011 6238 5295 7",
    "DE89370400440532013000",
    "DE89 3704 0044 0532 0130 00",
    "GB29 NWBK 6016 1331 9268 19",
    "FR14 2004 1010 0505 0001 3M02 606",
    "AT61 1904 3002 3457 3201",
    "NL91ABNA0417164300",
    "ES91 2100 0418 4502 0005 1332",
    "IT60 X054 2811 1010 0000 0123 456",
    "BE68 5390 0754 7034",
    "LI21 0881 0000 2324 013A A",
    "SE45 5000 0000 0583 9825 7466",
    iban("CH", "00762011623852958"),
    in_fours(iban("DE", "100500000123456789")),
    iban("GB", "WEST12345698765432"),
    in_fours(iban("FR", "30006000011234567890189")),
    iban("NL", "RABO0300065264"),
    in_fours(iban("AT", "2011100012345678")),
    iban("LU", "0010001234567891"),
    in_fours(iban("CH", "09000000123456789")),
]

CARD_FRAMES = ["Card number # please", "paid with #,", "Kreditkarte: #", "the number # on file"]
CARDS = [
    "4111 1111 1111 1111",
    "4111111111111111",
    "4012-8888-8888-1881",
    "5555 5555 5555 4444",
    "5105105105105100",
    "378282246310005",
    "3714 496353 98431",
    "6011 1111 1111 1117",
    "6011000990139424",
    "3530111333300000",
    "3566 0020 2036 0505",
    "30569309025904",
    "3852 0000 0232 37",
    "2223 0031 2200 3222",
    "2223-0000-4840-0011",
    "4242 4242 4242 4242",
    "4000056655665556",
    "5200 8282 8282 8210",
    "4222222222222",
    "6200 0000 0000 0005",
]

SOCIAL_FRAMES = ["AHV-Nr. #", "Versichertennummer # (Schweiz)", "his number, #, was", "SSN: #"]
SOCIALS = [
    "756.9217.0769.85",
    ahv(123456789),
    ahv(987654321, ""),
    ahv(555123456, " "),
    ahv(100200300),
    ahv(777000111, ""),
    ahv(121212121),
    ahv(31415926, " "),
    ahv(271828182),
    ahv(999888777, ""),
    ahv(246813579),
    ahv(864297531),
    "219-09-9999",
    "078-05-1120",
    "123-45-6789",
    "212 34 5678",
    "001-01-0001",
    "523-12-4567",
    "899-99-9998",
    "345 67 8901",
]

PASSPORT_FRAMES = [
    "Passport No. #",
    "passport number: #",
    "Her passport (#) expired.",
    "Reisepass Nr. #",
    "Passnummer # wurde geprüft",
    "Passeport n° #",
    "pasaporte número #",
    "PASSPORT #",
    "The passport number is #.",
    "Reisepassnummer: #",
]
PASSPORTS = [
    "X1234567",
    "C01X00T47",
    "533380006",
    "AB1234567",
    "L8988901C",
    "S0A00A000",
    "C4JCJHK3R",
    "123456789",
    "PA0940443",
    "E12345678",
    "12AB34567",
    "YA1234567",
    "AAC123456",
    "G12345678",
    "K1234567A",
]

IP_FRAMES = ["Request from # blocked.", "IP-Adresse: #", "host # answered", "[#] GET /"]
IPS = [
    "192.0.2.1",
    "198.51.100.23",
    "203.0.113.254",
    "10.0.0.8",
    "172.16.254.1",
    "192.168.1.77",
    "8.8.8.8",
    "255.10.20.30",
    "1.1.1.1",
    "100.64.0.5",
    "2001:db8::1",
    "2001:0db8:85a3:0000:0000:8a2e:0370:7334",
    "fe80::1ff:fe23:4567:890a",
    "2001:db8:0:1::42",
    "::ffff:c000:201",
    "fd00::abcd",
    "2001:DB8::A:B",
    "64:ff9b::c000:201",
    "2a02:120b::7",
    "ff02::1",
]

NAMES = [
    ("Dear Mr #,\nthank you", "Smith"),
    ("Dear Mrs. #,", "Eleanor Rigby"),
    ("Dear Ada #, hello", "Lovelace"),
    ("Dear #,\nplease find", "Grace Hopper"),
    ("Hello #!\nNice to", "Linus"),
    ("Hi #,\nas discussed", "Mary-Jane"),
    ("Sehr geehrte Frau #,\n", "Müller"),
    ("Sehr geehrter Herr Dr. #,\n", "von der Leyen"),
    ("Liebe #,\nwie geht", "Heidi"),
    ("Lieber #,\nvielen Dank", "Jürg Keller"),
    ("Hallo #,\nanbei", "Çelik"),
    ("Guten Tag #,\nwir", "Frau Meier"),
    ("Grüezi Herr #,\n", "Ammann"),
    ("Chère Madame #,\n", "Dupont"),
    ("Bonjour Monsieur #,\n", "de la Tour"),
    ("Estimado Sr. #:\n", "García"),
    ("Hola #,\nqué tal", "Lucía"),
    ("Dr. # was present.", "Marie Curie"),
    ("Prof. # wrote the review", "Einstein"),
    ("meeting with Ms. # today", "O’Neill"),
    ("Herr # hat unterschrieben", "Weber"),
    ("Frau # ist Zeugin", "Anna Schmidt"),
    ("Best regards,\n#", "Tom Sawyer"),
    ("Kind regards,\n#\nSales", "Priya Patel"),
    ("Mit freundlichen Grüssen\n#", "Urs Zürcher"),
    ("Freundliche Grüße\n\n#\n", "Karin Groß"),
    ("Sincerely,\n#", "Jane Doe"),
    ("Cordialement,\n#", "Élodie Martin"),
    ("Signora # ha chiamato", "Rossi"),
    ("Mme # est partie", "Curie"),
    ("Dear Prof. Dr. #,\n", "Zimmermann"),
    ("Miss # sang", "Piaf"),
    ("> Hi #,\n> see below", "Kofi"),
    ("Yours sincerely,\n#", "Hercule Poirot"),
    ("Good morning #,\n", "Vietnam Nguyen"),
    ("Madame # signe", "Bovary"),
    ("Ciao #!\n", "Giulia"),
    ("Viele Grüße\n#", "Lena"),
    ("Sir # was knighted", "Isaac Newton"),
    ("Gentile Signor #,\n", "Verdi"),
    ("Regards,\n#", "Ahmed al Rashid"),
    ("Dear Ms. #:\n", "Nakamura-Jones"),
    ("Señora # vino", "López"),
    ("Mister # left", "Bean"),
    ("Monsieur # rit", "Hulot"),
    ("Saludos,\n#", "Pablo Neruda"),
    ("Hey #,\nfast", "Jude"),
    ("Mx. # spoke", "Rivera"),
    ("Caro #,\n", "Marco"),
    ("Good evening #,\n", "Ms. Moneypenny"),
]

FOUND = [
    *cross_cases(PersonalDataKind.EMAIL, EMAIL_FRAMES, EMAILS),
    *cross_cases(PersonalDataKind.PHONE, PHONE_FRAMES, PHONES),
    *cross_cases(PersonalDataKind.IBAN, IBAN_FRAMES, IBANS),
    *cross_cases(PersonalDataKind.CARD, CARD_FRAMES, CARDS),
    *cross_cases(PersonalDataKind.SOCIAL_SECURITY, SOCIAL_FRAMES, SOCIALS),
    *cross_cases(PersonalDataKind.PASSPORT, PASSPORT_FRAMES, PASSPORTS),
    *cross_cases(PersonalDataKind.IP_ADDRESS, IP_FRAMES, IPS),
    *cases(PersonalDataKind.NAME, NAMES),
]

NOTHING = """In 2023 the market grew by 12.5 percent to 1,234,567 units.
The bridge was finished on 1918-08-15 and is 325 m long.
See doi:10.1038/s41586-020-2649-2 for details.
ISBN 978-3-16-148410-0 is out of print.
Version 3.11.7 was released on 2023-12-04.
The ratio of 4:3 was replaced by 16:9.
Between 1990-1995 and 2001–2005 the share fell.
Table 4 lists 2020 2021 2022 2023 in columns.
It costs CHF 1'250'000.50 a year.
The catalogue number is 4111 1111 1111 1112.
Order 123-456 was shipped.
The reaction took 12:30:45 hours.
RFC 9562 replaces RFC 4122.
Article 5(1) of Regulation (EU) 2016/679 applies.
The temperature was -40.5 °C at 08:15.
The population was 8 738 791 in 2021.
Coordinates 47.3769, 8.5417 are in Zurich.
Revenue rose from 10.2 to 11.4 billion dollars in 2022.
GDP per capita reached 93457.44 dollars.
Chapter 3.2.1.4 explains the method.
The passport was invented in 1414.
A card was played and an account was opened.
Dear reader, this is a story about heat pumps.
Dear Sir or Madam,
Dear all,
Hello world!
Dear colleagues,
Sehr geehrte Damen und Herren,
The doctor was late and the professor left.
The frequency is 2400-2483.5 MHz.
Model T-1000 weighs 1500-2000 kg.
SHA-256 gives 64 hexadecimal digits.
The ratio was 1.5:1 in 2019/2020.
In 1066 and 1492 history was made.
Heat pumps need 3000-4500 kWh a year.
Between 2000 and 2010 12,345 houses were built.
The law of 20.12.1968 was amended on 01.01.2020.
He scored 7-5, 6-4, 6-3 in the final.
On pages 123-145 the authors disagree.
p < 0.001, n = 1234, 95% CI 0.12-0.34.
The ISSN is 0028-0836.
Patent US 9,876,543 was granted.
Bus 31 leaves at 10.45, 11.45 and 12.45.
The number 1234567890123456 is not a card.
CH00 0000 0000 0000 0000 0 is no account.
A::B is a scope in the language.
std::vector and a::b::c are names.
The address 999.1.1.1 does not exist.
0.5 0.75 1.25 and 2.5 were measured.
He was born in 1950 and died in 2020.
E = mc2 and F = ma are known.
The user @example has no account here.
Write to the at sign @ of your choice.
Numbers like 100 200 300 are round.
Catalogue ABC-12345-X is sold out.
1,000 calls x 5 events x 2 ms would be 10 s.
The year 2024/25 was wet.
Section 230(c)(1) was upheld.
It weighs 12 345 678 grams in all.
Flight LX 1952 was late.""".splitlines()
