"""Media types of the documents that can be read, and the signature of a PDF."""

PDF = "application/pdf"
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
HTML = "text/html"
MARKDOWN = "text/markdown"
CSV = "text/csv"
RST = "text/x-rst"
PLAIN = "text/plain"
FEED = "application/feed"  # RSS, Atom and JSON Feed alike

_PDF_WITHIN = 1024  # bytes from the start: the PDF standard allows the signature within these


def is_pdf(data: bytes | bytearray) -> bool:
    """Return True if the first kilobyte has the signature of a PDF file."""
    return b"%PDF-" in data[:_PDF_WITHIN]
