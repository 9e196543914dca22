import { parentPort, workerData } from 'node:worker_threads';
import { readRunnerSettings } from '../runner-settings';

/** What `readSettingsApart` starts. */
parentPort?.postMessage(readRunnerSettings(workerData));
