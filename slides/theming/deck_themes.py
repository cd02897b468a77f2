"""The colours and fonts of a deck."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Theme:
    """A theme: colours as "#RRGGBB", and fonts. `logo` is the key of a stored picture."""

    id: str
    name: str
    primary: str
    secondary: str
    accent: str
    background: str
    text: str
    text_light: str
    heading_font: str
    body_font: str
    logo: str = ""


BUILT_IN: tuple[Theme, ...] = (
    Theme(
        "swiss-classic",
        "Swiss Classic",
        "#DA291C",
        "#FFFFFF",
        "#DA291C",
        "#FFFFFF",
        "#1A1A1A",
        "#666666",
        "Helvetica Neue",
        "Helvetica Neue",
    ),
    Theme(
        "zurich", "Zurich", "#0066B3", "#E8F4FC", "#0066B3", "#FFFFFF", "#1A1A1A", "#5A5A5A", "Inter", "Inter"
    ),
    Theme(
        "geneva",
        "Geneva",
        "#2E7D32",
        "#E8F5E9",
        "#4CAF50",
        "#FFFFFF",
        "#1A1A1A",
        "#5A5A5A",
        "Roboto",
        "Roboto",
    ),
    Theme(
        "alps",
        "Alps",
        "#37474F",
        "#ECEFF1",
        "#00BCD4",
        "#FAFAFA",
        "#212121",
        "#757575",
        "Montserrat",
        "Open Sans",
    ),
    Theme(
        "glacier",
        "Glacier",
        "#0288D1",
        "#E1F5FE",
        "#03A9F4",
        "#FFFFFF",
        "#0D47A1",
        "#1976D2",
        "Poppins",
        "Poppins",
    ),
)
