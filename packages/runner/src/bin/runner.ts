import { main } from '@switchyard/server/process-life';
import { runRunner } from '../run-runner';
import { readRunnerSettings } from '../runner-settings';

void main(async () => runRunner(readRunnerSettings(process.env)));
