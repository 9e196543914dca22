// Replaces `en-US@posix`, which browsers in the C locale may report, because the chart library does
// not accept it.
try {
  Intl.getCanonicalLocales(navigator.language);
} catch {
  Object.defineProperty(navigator, 'language', { value: 'en' });
}
