import { unwrap } from '@switchyard/client';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ArrowRight, Play } from 'lucide-react';
import { type FormEvent, type ReactNode, useState } from 'react';
import { api, type Schemas } from '../../data/api';
import { useRead } from '../../data/read';
import { useSend } from '../../data/send';
import { t } from '../../i18n';
import { Button } from '../../ui/button';
import { Field, Input, Textarea } from '../../ui/field';
import { Page } from '../../ui/page';

/** Two ways to begin: look at a company that works, or found one's own. */
export function FirstRun() {
  const client = useQueryClient();
  const navigate = useNavigate();
  const open = async ({ issuePrefix }: Schemas['Company']) => {
    await client.invalidateQueries({ queryKey: ['/api/companies'] });
    await navigate({ to: '/$company', params: { company: issuePrefix } });
  };
  const demo = useSend(() => unwrap(api.POST('/api/demo-companies')), {
    onDone: (company) => void open(company),
  });
  const founding = useSend(
    (body: Schemas['CreateCompanyBody']) => unwrap(api.POST('/api/companies', { body })),
    { onDone: (company) => void open(company) },
  );
  return (
    <div className="flex h-dvh flex-col">
      <Page title={t('firstRun.title')} width="measure">
        <p className="mb-6 text-muted">{t('firstRun.text')}</p>
        <div className="grid gap-4 md:grid-cols-2">
          <Way title={t('firstRun.demo')} text={t('firstRun.demoText')}>
            <Button
              tone="primary"
              icon={Play}
              isBusy={demo.isPending}
              onClick={() => demo.mutate(undefined)}
            >
              {t('firstRun.playDemo')}
            </Button>
          </Way>
          <Way title={t('firstRun.own')} text={t('firstRun.ownText')}>
            <CompanyForm isBusy={founding.isPending} onSend={(body) => founding.mutate(body)} />
          </Way>
        </div>
        <Companies />
      </Page>
    </div>
  );
}

function Way({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <section className="flex flex-col gap-3 rounded-lg border border-line bg-surface p-4">
      <h2 className="text-base font-semibold">{title}</h2>
      <p className="text-sm text-muted">{text}</p>
      <div className="mt-auto">{children}</div>
    </section>
  );
}

function CompanyForm({
  isBusy,
  onSend,
}: {
  isBusy: boolean;
  onSend: (body: Schemas['CreateCompanyBody']) => void;
}) {
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [budget, setBudget] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSend({
      name: name.trim(),
      ...(description.trim() && { description: description.trim() }),
      ...(budget && { budgetMonthlyCents: Math.round(Number(budget) * 100) }),
    });
  };
  return (
    <form className="flex flex-col gap-3" onSubmit={submit}>
      <Field label={t('field.name')}>
        {(control) => (
          <Input
            {...control}
            required
            maxLength={200}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
      <Field label={`${t('field.description')} (${t('form.optional')})`}>
        {(control) => (
          <Textarea
            {...control}
            rows={2}
            value={description}
            onChange={(event) => setDescription(event.target.value)}
          />
        )}
      </Field>
      <Field
        label={`${t('field.budgetMonthly')} (${t('form.optional')})`}
        hint={t('firstRun.budgetHint')}
      >
        {(control) => (
          <Input
            {...control}
            type="number"
            min="0"
            step="0.01"
            inputMode="decimal"
            value={budget}
            onChange={(event) => setBudget(event.target.value)}
          />
        )}
      </Field>
      <Button
        type="submit"
        className="self-start"
        icon={ArrowRight}
        isBusy={isBusy}
        disabled={!name.trim()}
      >
        {t('firstRun.create')}
      </Button>
    </form>
  );
}

/** From `/start` of somebody who has companies already: the way back. */
function Companies() {
  const companies = useRead('/api/companies', {});
  const navigate = useNavigate();
  if (!companies.data?.length) return null;
  return (
    <p className="mt-6 flex flex-wrap items-center gap-2 text-sm text-muted">
      {t('firstRun.back')}
      {companies.data.slice(0, 5).map(({ id, name, issuePrefix }) => (
        <Button
          key={id}
          tone="quiet"
          onClick={() => void navigate({ to: '/$company', params: { company: issuePrefix } })}
        >
          {name}
        </Button>
      ))}
    </p>
  );
}
