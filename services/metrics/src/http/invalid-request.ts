/** One entry of a 422 body, in the shape that FastAPI users know. */
export interface DetailEntry {
  type: string;
  loc: (string | number)[];
  msg: string;
  input: unknown;
  ctx?: Record<string, unknown>;
}

/** Becomes 422 with `{ detail: [...] }`. */
export class InvalidRequest extends Error {
  override readonly name = 'InvalidRequest';

  constructor(readonly detail: DetailEntry[]) {
    super(detail.map((entry) => `${entry.loc.join('.')}: ${entry.msg}`).join('; '));
  }
}

/** A field that is well formed and cannot be accepted. */
export function valueError(
  loc: (string | number)[],
  reason: string,
  input: unknown,
): InvalidRequest {
  return new InvalidRequest([
    { type: 'value_error', loc, msg: `Value error, ${reason}`, input, ctx: { error: reason } },
  ]);
}
