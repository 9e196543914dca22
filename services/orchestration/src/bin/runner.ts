import { main } from '@switchyard/server/process-life';
import { runRunner } from '../runner/run-runner';
import { readRunnerSettings } from '../runner/runner-settings';

void main(async () => runRunner(readRunnerSettings(process.env)));
