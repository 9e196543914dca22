async function answers(url: string): Promise<boolean> {
  const response = await fetch(url, { signal: AbortSignal.timeout(3_000) });
  await response.body?.cancel();
  return response.ok;
}

async function run(): Promise<void> {
  const outcomes = await Promise.allSettled(process.argv.slice(2).map(answers));
  const isHealthy = outcomes.some((outcome) => outcome.status === 'fulfilled' && outcome.value);
  process.exit(isHealthy ? 0 : 1);
}

void run();
