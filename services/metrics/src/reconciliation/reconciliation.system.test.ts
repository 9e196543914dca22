import { nameFillFaults } from '../../test/month/name-fill-faults';

nameFillFaults(0.25, 0.05);
