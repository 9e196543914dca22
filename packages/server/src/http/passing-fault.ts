const PASSING_FAULTS = new Set([
  'EDQUOT',
  'ENOSPC',
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'EPIPE',
  'ENOTFOUND',
  'P1001',
  'P1002',
  'P1008',
  'P1017',
  'P2024',
  'P2028',
  'P2034',
  '40001',
  '40P01',
  '53100',
  '53200',
  '53300',
  '55P03',
  '57014',
  '57P01',
  '57P02',
  '57P03',
  '08006',
]);
const PASSING_TEXT =
  /timeout exceeded when trying to connect|Query read timeout|Connection terminated|Can't reach database|Client has encountered a connection error/;

function codesOf(error: unknown): unknown[] {
  const codes: unknown[] = [];
  for (let at: unknown = error, depth = 0; at && typeof at === 'object' && depth < 6; depth++) {
    const node = at as Record<string, unknown> & { meta?: { driverAdapterError?: unknown } };
    codes.push(node.code, node.originalCode);
    at = node.meta?.driverAdapterError ?? node.cause;
  }
  return codes;
}

export function isPassingFault(error: unknown): boolean {
  if (codesOf(error).some((code) => PASSING_FAULTS.has(code as string))) return true;
  return error instanceof Error && PASSING_TEXT.test(error.message);
}

const EXHAUSTED = ['53100', '53200', 'EDQUOT', 'ENOSPC'];

export const isExhausted = (error: unknown): boolean =>
  codesOf(error).some((code) => EXHAUSTED.includes(code as string));
