import { contentTypeOf } from './content-type';
import { createTextCheck } from './text-check';

function typeOf(bytes: Buffer): string {
  const check = createTextCheck();
  check.push(bytes);
  return contentTypeOf(bytes, check.end());
}

const SVG = 'image/svg+xml';
const BYTES = 'application/octet-stream';
const DECLARED = (encoding: string) => `<?xml version="1.0" encoding="${encoding}"?>`;
const PNG = Buffer.from('89504e470d0a1a0a0000000d494844520000000100000001', 'hex');

describe('contentTypeOf', () => {
  it.each([
    ['a PNG', PNG, 'image/png'],
    ['a JPEG', Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex'), 'image/jpeg'],
    ['a GIF', Buffer.from('GIF89a\x01\0\x01\0\0\0\0;', 'latin1'), 'image/gif'],
    ['a WebP', Buffer.from('RIFF\x24\0\0\0WEBPVP8 \x18\0\0\0', 'latin1'), 'image/webp'],
    ['a GIF that is also a script', Buffer.from('GIF89a/*\0*/=1;alert(1)', 'latin1'), 'image/gif'],
    ['a PDF', Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1'), 'application/pdf'],
    ['plain text', Buffer.from('hello\nworld ü'), 'text/plain; charset=utf-8'],
    ['HTML', Buffer.from('<!doctype html><script>alert(1)</script>'), 'text/plain; charset=utf-8'],
    ['a script', Buffer.from('alert(1)'), 'text/plain; charset=utf-8'],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'image/svg+xml'],
    [
      'an SVG after a prolog',
      Buffer.from('\uFEFF<?xml version="1.0"?>\n<!-- x --><!DOCTYPE svg>\n<SVG >'),
      'image/svg+xml',
    ],
    [
      'HTML that mentions svg',
      Buffer.from('<html><svg></svg></html>'),
      'text/plain; charset=utf-8',
    ],
    ['an SVG in ISO-8859-1', Buffer.from(`${DECLARED('ISO-8859-1')}<svg>é</svg>`, 'latin1'), SVG],
    [
      'an SVG in Windows-1252',
      Buffer.from(`${DECLARED('windows-1252')}<svg>\x80</svg>`, 'latin1'),
      SVG,
    ],
    ['an SVG in UTF-16, little-endian', Buffer.from('\uFEFF<svg>é</svg>', 'utf16le'), SVG],
    ['an SVG in UTF-16, big-endian', Buffer.from('\uFEFF<svg>é</svg>', 'utf16le').swap16(), SVG],
    ['HTML in UTF-16', Buffer.from('\uFEFF<html>', 'utf16le'), BYTES],
    [
      'an SVG in Latin-1 that declares UTF-8',
      Buffer.from(`${DECLARED('UTF-8')}<svg>é</svg>`, 'latin1'),
      BYTES,
    ],
    ['an SVG in Latin-1 without a declaration', Buffer.from('<svg>é</svg>', 'latin1'), BYTES],
    [
      'an SVG in Latin-1 that declares UTF-16',
      Buffer.from(`${DECLARED('UTF-16')}<svg>é</svg>`, 'latin1'),
      BYTES,
    ],
    [
      'an SVG with an unknown encoding',
      Buffer.from(`${DECLARED('none-such')}<svg>é</svg>`, 'latin1'),
      BYTES,
    ],
    ['bytes of an unknown type', Buffer.from([1, 2, 3, 0, 255]), 'application/octet-stream'],
    ['nothing', Buffer.alloc(0), 'text/plain; charset=utf-8'],
    ['a GIF of only text', Buffer.from('GIF89a=1;alert(1)'), 'image/gif'],
    ['a PDF of only text', Buffer.from('%PDF-1.4\n1 0 obj'), 'application/pdf'],
    ['text that starts like a bitmap', Buffer.from('BM is short'), 'text/plain; charset=utf-8'],
    ['text that starts like an MP3', Buffer.from('ID3 is a tree'), 'text/plain; charset=utf-8'],
    ['a replacement character', Buffer.from('a \uFFFD b'), 'text/plain; charset=utf-8'],
    [
      'text that ends within a character',
      Buffer.from('ü€').subarray(0, 4),
      'application/octet-stream',
    ],
    ['text with a NUL', Buffer.from('a\0b'), 'application/octet-stream'],
    ['text with an escape', Buffer.from('a\x1b[2Jb'), 'application/octet-stream'],
  ])('detects %s', (_name, bytes, type) => {
    expect(typeOf(bytes)).toBe(type);
  });
});
