import { LINEAR, timesLonger } from '@switchyard/testing';
import { hasSvgRoot } from './svg-root';

const SUBSET = '<!DOCTYPE svg PUBLIC "-//W3C" "x" [ <!ENTITY a "b"> <!ENTITY c "d"> ]>';

describe('hasSvgRoot', () => {
  it.each(
    [
      '<svg/>',
      '<svg>',
      '<SVG width="1">',
      '<svg:svg xmlns:svg="http://www.w3.org/2000/svg">',
      '\uFEFF \n<?xml version="1.0"?><!-- <html> --><!DOCTYPE svg>\t<svg >',
      `${SUBSET}<svg>`,
      `<!-- ${'x'.repeat(20_000)} --><svg>`,
    ].map((text) => [text.slice(0, 60), text]),
  )('accepts %j', (_start, text) => {
    expect(hasSvgRoot(text)).toBe(true);
  });

  it.each([
    '',
    'svg',
    '<',
    '<svg',
    '<svgx>',
    '<html><svg></svg></html>',
    'x<svg>',
    '<!-- <svg> ',
    '<?xml <svg>',
    '<!DOCTYPE svg [ <svg>',
    '<!DOCTYPE svg',
    '<!DOCTYPE html><svg-like>',
    '</svg>',
  ])('rejects %j', (text) => {
    expect(hasSvgRoot(text)).toBe(false);
  });

  it.each([
    ['comments', '<!---->'],
    ['instructions', '<??>'],
    ['doctypes', '<!x>'],
    ['unclosed brackets', '<![>'],
    ['unclosed comments', '<!--'],
    ['white space', ' '],
  ])('takes linear time for a text of many %s', (_name, piece) => {
    const look = (bytes: number) => hasSvgRoot(piece.repeat(bytes / piece.length));
    expect(timesLonger(look, 2_000_000)).toBeLessThan(LINEAR);
  });
});
