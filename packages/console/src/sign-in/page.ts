export const at = <Kind extends HTMLElement = HTMLElement>(id: string) =>
  document.getElementById(id) as Kind;

export const form = (id: string) => at<HTMLFormElement>(id);

export function showAtField(own: HTMLElement, name: string, problem: string): boolean {
  const input = own.querySelector<HTMLInputElement>(`input[name="${CSS.escape(name)}"]`);
  if (!input?.checkVisibility()) return false;
  const text = document.createElement('span');
  text.id = 'field-problem';
  text.className = 'field-problem';
  text.setAttribute('role', 'alert');
  text.textContent = problem;
  input.setAttribute('aria-invalid', 'true');
  input.setAttribute('aria-describedby', text.id);
  input.after(text);
  input.focus();
  return true;
}

export function clearField(): void {
  at('field-problem')?.remove();
  for (const input of document.querySelectorAll('[aria-invalid]')) {
    input.removeAttribute('aria-invalid');
    input.removeAttribute('aria-describedby');
  }
}
