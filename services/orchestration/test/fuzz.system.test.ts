import { fuzz } from './fuzzing';

fuzz({ numRuns: Number(process.env.FUZZ_RUNS ?? 15), seed: Number(process.env.FUZZ_SEED ?? 2) });
