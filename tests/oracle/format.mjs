// JSON that a person can read and a line-wise diff can show: whatever fits stands on one line.
const WIDTH = 116;

/** The whole document, with a final newline. */
export const formatted = (value) => `${layOut(value, 0, 0)}\n`;

function layOut(value, indent, used) {
  const flat = inline(value);
  if (typeof value !== "object" || value === null || (indent > 0 && indent + used + flat.length <= WIDTH)) return flat;
  const pad = " ".repeat(indent + 2);
  const lines = Array.isArray(value)
    ? value.map((item) => pad + layOut(item, indent + 2, 0))
    : Object.entries(value).map(([key, item]) => {
        const label = `${JSON.stringify(key)}: `;
        return pad + label + layOut(item, indent + 2, label.length);
      });
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  return lines.length === 0 ? open + close : `${open}\n${lines.join(",\n")}\n${" ".repeat(indent)}${close}`;
}

function inline(value) {
  if (Array.isArray(value)) return `[${value.map(inline).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${inline(item)}`);
  return fields.length === 0 ? "{}" : `{ ${fields.join(", ")} }`;
}
