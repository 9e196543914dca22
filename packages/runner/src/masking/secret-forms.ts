/**
 * Minimum length of a masked secret, in characters. "1" or "dev" occurs in nearly every line:
 * masking it would make the output useless, and the positions of the masks would reveal it.
 */
const SHORTEST_MASKED = 4;

const toUrlAlphabet = (text: string) => text.replaceAll('+', '-').replaceAll('/', '_');

const lowerEscapes = (text: string) => text.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());

const escapeCodeUnit = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * Returns the base64 forms of the secret at each of the three alignments. One form has only the
 * characters that no surrounding byte affects; the other also has the last ones, for data that ends
 * with the secret.
 */
function base64Forms(secret: Buffer): string[] {
  return [0, 1, 2].flatMap((offset) => {
    const padded = Buffer.concat([Buffer.alloc(offset), secret]).toString('base64');
    const from = Math.ceil((offset * 8) / 6);
    const stable = padded.slice(from, Math.floor(((offset + secret.length) * 8) / 6));
    const tail = padded.slice(from);
    return [stable, tail, tail.replace(/=+$/, '')].flatMap((form) => [form, toUrlAlphabet(form)]);
  });
}

function urlForms(secret: string): string[] {
  const component = encodeURIComponent(secret);
  const strict = component.replace(
    /[!'()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  const query = new URLSearchParams([['', secret]]).toString().slice(1);
  const spacedByPlus = component.replaceAll('%20', '+');
  const forms = [component, strict, query, spacedByPlus, encodeURI(secret)];
  return forms.flatMap((form) => [form, lowerEscapes(form)]);
}

function jsonForms(secret: string): string[] {
  const plain = JSON.stringify(secret).slice(1, -1);
  const ascii = plain.replace(/[\u007f-\uffff]/g, escapeCodeUnit);
  const htmlSafe = plain.replace(/[<>&\u2028\u2029]/g, escapeCodeUnit);
  return [plain, ascii, htmlSafe].flatMap((form) => [form, form.replaceAll('/', '\\/')]);
}

export function listSecretForms(secrets: string[]): Buffer[] {
  const forms = new Set<string>();
  for (const secret of secrets) {
    // A pasted value often ends with a newline, but is printed without it.
    for (const variant of new Set([secret, secret.trim()])) {
      if (variant.length < SHORTEST_MASKED) continue;
      const bytes = Buffer.from(variant, 'utf8');
      const text = bytes.toString('utf8');
      for (const form of [text, ...base64Forms(bytes), ...urlForms(text), ...jsonForms(text)]) {
        if (form.length >= SHORTEST_MASKED) forms.add(form);
      }
    }
  }
  return [...forms].map((form) => Buffer.from(form, 'utf8'));
}
