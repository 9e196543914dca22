export interface DetailEntry {
  type: string;
  loc: (string | number)[];
  msg: string;
  input: unknown;
  ctx?: Record<string, unknown>;
}

export class InvalidRequest extends Error {
  override readonly name = 'InvalidRequest';

  constructor(readonly detail: DetailEntry[]) {
    super(detail.map((entry) => `${entry.loc.join('.')}: ${entry.msg}`).join('; '));
  }
}

export const refuseField = (field: string, reason: string, input: unknown): InvalidRequest =>
  valueError(['body', field], reason, input);

export function valueError(
  loc: (string | number)[],
  reason: string,
  input: unknown,
): InvalidRequest {
  return new InvalidRequest([
    { type: 'value_error', loc, msg: `Value error, ${reason}`, input, ctx: { error: reason } },
  ]);
}
