/** Uses the old API on plain http, where browsers do not offer `navigator.clipboard`. */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const field = document.createElement('textarea');
  field.value = text;
  (document.querySelector('dialog:modal') ?? document.body).append(field);
  field.select();
  document.execCommand('copy');
  field.remove();
}
