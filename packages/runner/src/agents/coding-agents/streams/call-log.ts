import type { ToolEvent } from '../tool-event';
import { logText, shortened } from './read-json';

interface CallResult {
  isFailed: boolean;
  output: string;
  exitCode?: number | null;
  tookMs?: number;
}

export interface CallLog {
  has(id: unknown): boolean;
  start(id: unknown, name: string, input: unknown): ToolEvent[];
  end(id: unknown, result: CallResult): ToolEvent[];
}

/**
 * Numbers the calls of a conversation, because results of parallel calls arrive in any order. The
 * console reads these lines (`readTranscript`).
 */
export function createCallLog(now: () => Date): CallLog {
  const open = new Map<unknown, { number: number; startedAt: number }>();
  let count = 0;
  return {
    has: (id) => open.has(id),
    start(id, name, input) {
      count += 1;
      open.set(id, { number: count, startedAt: now().getTime() });
      const line = shortened(describeCall(name, input), ' ');
      return [{ kind: 'log', text: `[tool ${count}] ${line}` }];
    },
    end(id, { isFailed, exitCode, output, tookMs }) {
      const call = open.get(id);
      const lines = logText(output, '> ');
      if (!call) return lines;
      open.delete(id);
      const ms = tookMs ?? now().getTime() - call.startedAt;
      const words = [
        isFailed ? 'failed' : 'ok',
        exitCode && `exit code ${exitCode}`,
        ms >= 50 && `${(ms / 1_000).toFixed(1)} s`,
      ];
      const line = `[result ${call.number}] ${words.filter(Boolean).join(', ')}`;
      return [{ kind: 'log', text: line }, ...lines];
    },
  };
}

function describeCall(name: string, input: unknown): string {
  const command = (input as { command?: unknown } | null)?.command;
  if (typeof command === 'string' && !/[\r\n]/.test(command)) return `$ ${command}`;
  return `${name.replace(/\s+/g, '_')} ${JSON.stringify(input ?? {})}`;
}
