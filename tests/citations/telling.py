"""Tables of texts with what is read in them, written as text: one line for each thing read."""


def parse_expectations(table):
    """Texts at the margin, each with the lines indented below it; a line may run on, indented less."""
    found = []
    for line in table.strip("\n").splitlines():
        if line.startswith("    "):
            found[-1][1].append(line.strip())
        elif line.startswith("  "):
            found[-1][1][-1] += " " + line.strip()
        else:
            found.append((line, []))
    return found


def join_parts(*parts):
    """Join the parts that there are by commas."""
    return ", ".join(part for part in map(str, parts) if part)
