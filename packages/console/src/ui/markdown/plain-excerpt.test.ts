import { plainExcerpt } from './plain-excerpt';

describe('plainExcerpt', () => {
  it.each([
    ['A **quiet** tool:\n\n- bookings\n- guests', 'A quiet tool: bookings guests'],
    ['## Title\n\n1. one\n2) two', 'Title one two'],
    ['*less* _more_ ~~gone~~ `code`', 'less more gone code'],
    ['[docs](https://a.example) ![logo](x.png)', 'docs logo'],
    ['snake_case_name and 2 * 3 * 4', 'snake_case_name and 2 * 3 * 4'],
    ['> a quote', 'a quote'],
    [null, ''],
  ])('turns %p into %p', (text, plain) => {
    expect(plainExcerpt(text)).toBe(plain);
  });
});
