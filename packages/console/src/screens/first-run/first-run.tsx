import { unwrap } from '@switchyard/client';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import {
  ArrowRight,
  Bot,
  Building2,
  CircleDollarSign,
  type LucideIcon,
  MessageCircleQuestion,
  Play,
} from 'lucide-react';
import type { FormEvent, ReactNode } from 'react';
import { api, type Schemas } from '../../data/api';
import { useCompanyChoice } from '../../data/company';
import { useHeld } from '../../data/draft';
import { useRead } from '../../data/read';
import { useSend } from '../../data/send';
import { t } from '../../i18n';
import { Button } from '../../ui/button';
import { InputField, TextareaField } from '../../ui/field';
import { Page } from '../../ui/page';

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
    {
      onDone: (company) => {
        sessionStorage.removeItem('draft new company');
        void open(company);
      },
    },
  );
  const session = useRead('/api/auth/session', {});
  return (
    <div className="flex h-dvh flex-col">
      <Page
        title={t('firstRun.title')}
        width="measure"
        actions={
          <Link to="/account" className="px-2 text-sm text-muted hover:text-text hover:underline">
            {session.data?.user?.name ?? t('frame.account')}
          </Link>
        }
      >
        <p className="mt-4 mb-8 text-lg">{t('firstRun.text')}</p>
        <div className="grid items-stretch gap-4 md:grid-cols-2">
          <Way icon={Play} title={t('firstRun.demo')} text={t('firstRun.demoText')}>
            <ol className="mb-4 flex flex-col gap-2 text-sm">
              <Step icon={Bot}>{t('firstRun.step.work')}</Step>
              <Step icon={MessageCircleQuestion}>{t('firstRun.step.ask')}</Step>
              <Step icon={CircleDollarSign}>{t('firstRun.step.cost')}</Step>
            </ol>
            <Button
              tone="primary"
              icon={ArrowRight}
              className="mt-auto min-h-9 w-full"
              isBusy={demo.isPending}
              onClick={() => demo.mutate(undefined)}
            >
              {t('firstRun.playDemo')}
            </Button>
          </Way>
          <Way icon={Building2} title={t('firstRun.own')} text={t('firstRun.ownText')}>
            <CompanyForm isBusy={founding.isPending} onSend={(body) => founding.mutate(body)} />
          </Way>
        </div>
        <Companies />
      </Page>
    </div>
  );
}

function Way({
  icon: Icon,
  title,
  text,
  children,
}: {
  icon: LucideIcon;
  title: string;
  text: string;
  children: ReactNode;
}) {
  return (
    <section className="flex flex-col gap-3 rounded-lg border border-line bg-surface p-5">
      <h2 className="flex items-center gap-2 text-lg font-semibold">
        <Icon size={18} aria-hidden className="text-accent" />
        {title}
      </h2>
      <p className="text-sm text-muted">{text}</p>
      <div className="flex flex-1 flex-col">{children}</div>
    </section>
  );
}

const Step = ({ icon: Icon, children }: { icon: LucideIcon; children: string }) => (
  <li className="flex items-start gap-2">
    <Icon size={15} aria-hidden className="mt-0.5 shrink-0 text-muted" />
    {children}
  </li>
);

function CompanyForm({
  isBusy,
  onSend,
}: {
  isBusy: boolean;
  onSend: (body: Schemas['CreateCompanyBody']) => void;
}) {
  const { value, change } = useHeld('new company', { name: '', description: '', budget: '' });
  const { name, description, budget } = value;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSend({
      name: name.trim(),
      ...(description.trim() && { description: description.trim() }),
      ...(budget && { budgetMonthlyCents: Math.round(Number(budget) * 100) }),
    });
  };
  return (
    <form className="flex flex-1 flex-col gap-3" onSubmit={submit}>
      <InputField
        label={t('field.name')}
        required
        maxLength={200}
        value={name}
        onChange={(event) => change({ name: event.target.value })}
      />
      <TextareaField
        label={t('field.description')}
        isOptional
        rows={2}
        value={description}
        onChange={(event) => change({ description: event.target.value })}
      />
      <InputField
        label={t('field.budgetMonthly')}
        isOptional
        hint={t('firstRun.budgetHint')}
        type="number"
        min="0"
        step="0.01"
        inputMode="decimal"
        value={budget}
        onChange={(event) => change({ budget: event.target.value })}
      />
      <Button
        type="submit"
        className="min-h-9 w-full"
        icon={ArrowRight}
        isBusy={isBusy}
        disabled={!name.trim()}
      >
        {t('firstRun.create')}
      </Button>
    </form>
  );
}

function Companies() {
  const companies = useCompanyChoice();
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
