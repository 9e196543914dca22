/** Copies a text; on plain http by the old API. */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const field = document.createElement('textarea');
  field.value = text;
  // A modal dialog makes everything outside it inert.
  (document.querySelector('dialog:modal') ?? document.body).append(field);
  field.select();
  document.execCommand('copy');
  field.remove();
}
