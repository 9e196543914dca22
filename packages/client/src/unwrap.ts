export interface ErrorAnswer {
  error: string;
  code: string;
  details?: unknown;
  requestId: string;
}

export class RefusedError extends Error {
  override readonly name = 'RefusedError';
  readonly code: string | undefined;
  readonly details: unknown;
  readonly requestId: string | undefined;

  constructor(
    readonly status: number,
    answer: Partial<ErrorAnswer> | undefined,
  ) {
    super(`${status} ${answer?.error ?? 'without a readable body'}`);
    this.code = answer?.code;
    this.details = answer?.details;
    this.requestId = answer?.requestId;
  }
}

interface Answered<Data> {
  data?: Data;
  error?: unknown;
  response: Response;
}

export async function unwrap<Data>(asked: Promise<Answered<Data>>): Promise<Data> {
  const { data, error, response } = await asked;
  if (response.ok) return data as Data;
  const answer = typeof error === 'object' && error !== null ? error : undefined;
  throw new RefusedError(response.status, answer as Partial<ErrorAnswer> | undefined);
}
