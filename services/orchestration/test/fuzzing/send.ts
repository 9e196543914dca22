import fc from 'fast-check';
import type { Ask, Question, Reply } from '../ask';
import type { KnownOperation } from '../operations';
import { faultOf, seenFrom, undeclaredIn } from './judge';

export interface Exchange {
  questions: fc.Arbitrary<Question>;
  faultOf(question: Question, reply: Reply): string | null;
  stage: number;
}

export interface Failure {
  fault: string;
  question: Question;
  reply: Reply | null;
}

export interface Sent {
  count: number;
  accepted: number;
  failures: Failure[];
}

type DocumentFault = (seen: ReturnType<typeof seenFrom>) => string | null;

/**
 * Judges responses of an operation by its document; `documentFault` compares the bodies. A probe may
 * return 5xx as its result.
 */
export function judgeBy(
  operation: KnownOperation,
  documentFault: DocumentFault,
  { hasCodes, isProbe }: { hasCodes: boolean; isProbe: boolean },
) {
  return (question: Question, reply: Reply): string | null => {
    if (reply.status >= 500 && !isProbe) return `a ${reply.status}`;
    if (question.method === 'HEAD') return null;
    const malformed = hasCodes && !isProbe ? faultOf(reply) : null;
    const isOwn = question.method === operation.method;
    const undeclared = malformed ?? (isOwn ? undeclaredIn(operation, reply) : null);
    if (undeclared || 'preference-applied' in reply.headers) return undeclared;
    return documentFault(seenFrom(operation, question, reply));
  };
}

/**
 * Sends `perKind` random requests of each kind, stage by stage. The seed decides the requests and
 * their order.
 */
export async function sendAll(
  ask: Ask,
  exchanges: readonly Exchange[],
  { seed, perKind }: { seed: number; perKind: number },
): Promise<Sent> {
  const all = exchanges.flatMap((exchange, at) =>
    fc
      .sample(exchange.questions, { numRuns: perKind, seed: seed * 10_007 + at })
      .map((question) => ({ exchange, question })),
  );
  const [shuffled = []] = fc.sample(fc.shuffledSubarray(all, { minLength: all.length }), {
    numRuns: 1,
    seed,
  });
  const failures: Failure[] = [];
  let accepted = 0;
  for (const { exchange, question } of shuffled.sort(
    (a, b) => a.exchange.stage - b.exchange.stage,
  )) {
    // Asks twice, because the server may close an idle connection while a request is being sent.
    const again = () => ask(question).catch((error: Error) => error);
    const reply = await ask(question).catch(again);
    if (reply instanceof Error) {
      failures.push({ fault: `no response: ${reply.message}`, question, reply: null });
      continue;
    }
    if (reply.status < 300) accepted += 1;
    const fault = exchange.faultOf(question, reply);
    if (fault) failures.push({ fault, question, reply });
  }
  return { count: all.length, accepted, failures };
}

/** Closes a harness, whose own comparison with the document fails again for each failure found. */
export async function closeAfter(
  harness: { close(): Promise<void> },
  { failures }: Sent,
): Promise<void> {
  await harness.close().catch((error: Error) => {
    if (failures.length === 0) throw error;
  });
}
