import { nameFillFaults } from '@switchyard/metrics/test/month/name-fill-faults';

nameFillFaults(30, 0.01);
