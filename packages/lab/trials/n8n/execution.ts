export interface ExecutionData {
  resultData: {
    lastNodeExecuted: string;
    error?: { message: string; description?: string | null };
    runData: Record<string, unknown[]>;
  };
}

export interface Outcome {
  lastNode: string;
  error: string | null;
  runs: Record<string, number>;
}

export function outcomeIn({ resultData }: ExecutionData): Outcome {
  const { lastNodeExecuted: lastNode, error, runData } = resultData;
  const runs = Object.fromEntries(Object.entries(runData).map(([name, all]) => [name, all.length]));
  const message = error && [error.message, error.description].filter(Boolean).join(': ');
  return { lastNode, error: message ?? null, runs };
}
