// A browser in the C locale may report `en-US@posix`, which the chart library does not accept.
try {
  Intl.getCanonicalLocales(navigator.language);
} catch {
  Object.defineProperty(navigator, 'language', { value: 'en' });
}
