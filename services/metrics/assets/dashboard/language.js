// A browser in the C locale may name `en-US@posix`, which is no language tag: the chart library would end there.
try {
  Intl.getCanonicalLocales(navigator.language);
} catch {
  Object.defineProperty(navigator, 'language', { value: 'en' });
}
