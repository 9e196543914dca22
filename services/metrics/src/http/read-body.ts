import express, { type Request, type Response } from 'express';
import { InvalidRequest } from './failures';

const BODY_LIMIT = 256 * 1024;
const readText = express.text({ type: () => true, limit: BODY_LIMIT });

/** The wording of the parser whose error shape this service keeps, by what Node's parser says. */
const JSON_ERRORS: [RegExp, string][] = [
  [/property name/, 'Expecting property name enclosed in double quotes'],
  [/Unterminated string/, 'Unterminated string starting at'],
  [/Expected ',' or/, "Expecting ',' delimiter"],
  [/Expected ':'/, "Expecting ':' delimiter"],
  [/after JSON/, 'Extra data'],
  [/control character/, 'Invalid control character at'],
  [/escape/, 'Invalid \\escape'],
];

/** @throws InvalidRequest of type json_invalid, with the place of the fault */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const { message } = error as Error;
    const position = Number(/position (\d+)/.exec(message)?.[1] ?? text.length);
    const reason = JSON_ERRORS.find(([pattern]) => pattern.test(message))?.[1] ?? 'Expecting value';
    throw new InvalidRequest([
      {
        type: 'json_invalid',
        loc: ['body', position],
        msg: 'JSON decode error',
        input: {},
        ctx: { error: reason },
      },
    ]);
  }
}

/** The parsed JSON, the text of a body that is not JSON, or undefined when there is none. */
export async function readBody(request: Request, response: Response): Promise<unknown> {
  await new Promise<void>((resolve, reject) => {
    readText(request, response, (error?: unknown) => (error ? reject(error) : resolve()));
  });
  const text = typeof request.body === 'string' ? request.body : '';
  if (text.trim() === '') return undefined;
  const isJson = request.is(['application/json', 'application/*+json']);
  return isJson ? parseJson(text) : text;
}
