import type { Outcome } from './n8n';

/** What n8n keeps of an execution, as far as it is looked at. */
export interface ExecutionData {
  resultData: {
    lastNodeExecuted: string;
    error?: { message: string; description?: string | null };
    runData: Record<string, unknown[]>;
  };
}

export function outcomeIn({ resultData }: ExecutionData): Outcome {
  const { lastNodeExecuted: lastNode, error, runData } = resultData;
  const runs = Object.fromEntries(Object.entries(runData).map(([name, all]) => [name, all.length]));
  const message = error && [error.message, error.description].filter(Boolean).join(': ');
  return { lastNode, error: message ?? null, runs };
}
