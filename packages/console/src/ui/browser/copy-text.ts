/** Puts a text on the clipboard, on plain http too, where browsers have only the old way. */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const field = document.createElement('textarea');
  field.value = text;
  // A modal dialog makes everything outside of it inert.
  (document.querySelector('dialog:modal') ?? document.body).append(field);
  field.select();
  document.execCommand('copy');
  field.remove();
}
