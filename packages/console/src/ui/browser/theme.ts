export type Theme = 'system' | 'light' | 'dark';

const KEPT = 'theme';

export const chosenTheme = (): Theme => (localStorage.getItem(KEPT) as Theme | null) ?? 'system';

export function chooseTheme(theme: Theme): void {
  localStorage.setItem(KEPT, theme);
  applyTheme();
}

export function applyTheme(): void {
  const theme = chosenTheme();
  const { dataset } = document.documentElement;
  if (theme === 'system') delete dataset.theme;
  else dataset.theme = theme;
}
