import { FILE_PROBES } from './probes/files';
import { KERNEL_PROBES } from './probes/kernel';
import { NETWORK_PROBES } from './probes/network';
import { PROCESS_PROBES } from './probes/processes';

export { IOPRIO_SET, PRCTL } from './probes/probe';

export const PROBES = [...PROCESS_PROBES, ...FILE_PROBES, ...NETWORK_PROBES, ...KERNEL_PROBES];
