import { updateCompanyBody } from '@switchyard/types';
import { z } from 'zod';
import { getCompany } from '../../companies/companies';
import { updateCompany } from '../../companies/update-company';
import { defineKind } from './kind';

const FORMAT = 1;

export const company = defineKind({
  folder: '',
  slug: /^company$/,
  fields: { format: null, name: null, budgetMonthlyCents: null, egressAllowList: null },
  text: 'description',
  creates: null,
  updates: updateCompanyBody.extend({ format: z.literal(FORMAT).optional() }),
  read: async (source, { skip }) =>
    skip ? [] : [{ ...(await getCompany(source)), format: FORMAT, slug: 'company' }],
  update: (tx, _id, { format: _, ...body }) => updateCompany(tx, body),
});
