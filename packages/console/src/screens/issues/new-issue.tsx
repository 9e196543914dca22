import { unwrap } from '@switchyard/client';
import { useNavigate } from '@tanstack/react-router';
import { BellOff, BellRing } from 'lucide-react';
import { type FormEvent, type KeyboardEvent, useState } from 'react';
import { api, type Schemas, sentenceOf } from '../../data/api';
import { type Company, useCompany } from '../../data/company';
import { type Agent, useAgents, usePeople, useProjects } from '../../data/directory';
import { useDraft } from '../../data/draft';
import { useSend } from '../../data/send';
import { newSendKey } from '../../data/send-key';
import { t, word } from '../../i18n';
import { shownKeys } from '../../ui/browser/keys';
import { Button } from '../../ui/button';
import { Choose } from '../../ui/choices/choose';
import {
  type Assignee,
  assignedTo,
  assigneeChoices,
  priorityChoices,
} from '../../ui/choices/issue-choices';
import { Dialog } from '../../ui/dialogs/dialog';
import { Textarea } from '../../ui/field';
import { StatusMark } from '../../ui/marks';
import { Notice } from '../../ui/states';
import { showToast } from '../../ui/toast';
import { whyNotWoken } from './wake-forecast';

type Priority = Schemas['Issue']['priority'];

export function NewIssue({ onClose }: { onClose: () => void }) {
  const { id: companyId, issuePrefix } = useCompany();
  const navigate = useNavigate();
  const agents = useAgents();
  const form = useNewIssue();
  const [key, setKey] = useState(newSendKey);
  const create = useSend(
    () =>
      unwrap(
        api.POST('/api/companies/{companyId}/issues', {
          params: { path: { companyId }, header: { 'Idempotency-Key': key } },
          body: form.body,
        }),
      ),
    {
      isQuiet: true,
      onDone: (issue) => {
        form.clear();
        onClose();
        showToast({
          text: t('newIssue.made', { identifier: issue.identifier }),
          action: {
            label: t('newIssue.open'),
            run: () =>
              void navigate({
                to: '/$company/issues/$issue',
                params: { company: issuePrefix, issue: issue.identifier },
              }),
          },
        });
      },
    },
  );
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    if (form.title.trim() !== '' && !create.isPending) create.mutate(undefined);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) submit();
  };
  const changed = () => setKey(newSendKey());
  return (
    <Dialog
      title={t('key.newIssue')}
      onClose={onClose}
      footer={
        <>
          <WhoWakes agent={agents.get(agentIdOf(form.assignee))} />
          <span className="flex-1" />
          <Button tone="quiet" onClick={onClose}>
            {t('action.cancel')}
          </Button>
          <Button
            tone="primary"
            type="submit"
            form="new-issue"
            shortcut={shownKeys('$mod+Enter')}
            isBusy={create.isPending}
            disabled={form.title.trim() === ''}
          >
            {t('newIssue.create')}
          </Button>
        </>
      }
    >
      <form
        id="new-issue"
        className="flex flex-col gap-3"
        onSubmit={submit}
        onKeyDown={onKeyDown}
        onChange={changed}
      >
        {create.error && <Notice tone="bad">{sentenceOf(create.error)}</Notice>}
        <Sentence form={form} />
        {form.parentName && (
          <p className="flex items-center gap-1.5 text-sm text-muted">
            {t('newIssue.below', { identifier: form.parentName })}
            <Button tone="quiet" onClick={form.leaveParent}>
              {t('issue.removeParent')}
            </Button>
          </p>
        )}
        <Textarea
          rows={1}
          aria-label={t('issue.title')}
          placeholder={t('newIssue.titlePlaceholder')}
          maxLength={500}
          value={form.title}
          onChange={(event) => form.setTitle(event.target.value.replace(/\n/g, ' '))}
          className="resize-none border-transparent px-0 text-lg font-semibold"
        />
        <Textarea
          aria-label={t('issue.description')}
          placeholder={t('newIssue.descriptionPlaceholder')}
          value={form.description}
          onChange={(event) => form.setDescription(event.target.value)}
          className="min-h-28"
        />
        <div className="flex flex-wrap gap-1.5">
          <Choose
            label={t('issue.status')}
            choices={STATUSES.map((status) => ({
              value: status,
              label: word('issueStatus', status),
              mark: <StatusMark of="issue" status={status} />,
            }))}
            value={form.status}
            onChoose={form.setStatus}
          />
          <Choose
            label={t('issue.priority')}
            choices={priorityChoices()}
            value={form.priority}
            onChoose={form.setPriority}
          />
        </div>
      </form>
    </Dialog>
  );
}

type Form = ReturnType<typeof useNewIssue>;
type Status = (typeof STATUSES)[number];
const STATUSES = ['todo', 'backlog'] as const;

function useNewIssue() {
  const { id } = useCompany();
  const [title, setTitle] = useDraft(`new issue title ${id}`);
  const [description, setDescription] = useDraft(`new issue description ${id}`);
  const [assigneeText, setAssigneeText] = useDraft(`new issue assignee ${id}`);
  const [parent, setParent] = useDraft(`new issue parent ${id}`);
  const [parentId, parentName] = parent.split(' ');
  const [project, setProject] = useDraft(`new issue project ${id}`);
  const [statusText, setStatusText] = useDraft(`new issue status ${id}`);
  const [priorityText, setPriorityText] = useDraft(`new issue priority ${id}`);
  const assignee = (assigneeText || null) as Assignee;
  const status = (statusText || 'todo') as Status;
  const priority = (priorityText || 'medium') as Priority;
  return {
    title,
    setTitle,
    description,
    setDescription,
    assignee,
    setAssignee: (next: Assignee) => setAssigneeText(next ?? ''),
    parentName,
    leaveParent: () => setParent(''),
    project: project || null,
    setProject: (next: string | null) => setProject(next ?? ''),
    status,
    setStatus: (next: Status) => setStatusText(next),
    priority,
    setPriority: (next: Priority) => setPriorityText(next),
    body: {
      title: title.trim(),
      ...(description.trim() !== '' && { description }),
      status,
      priority,
      ...(parentId && { parentId }),
      ...(project && { projectId: project }),
      ...(assignee && assignedTo(assignee)),
    },
    // Keeps the project for the next issue. Clears the assignee, because keeping it could start
    // unwanted runs.
    clear: () => {
      setTitle('');
      setDescription('');
      setAssigneeText('');
      setParent('');
    },
  };
}

const agentIdOf = (assignee: Assignee): string | undefined =>
  assignee?.startsWith('agent:') ? assignee.slice('agent:'.length) : undefined;

function Sentence({ form }: { form: Form }) {
  const agents = useAgents();
  const people = usePeople();
  const projects = useProjects();
  return (
    <div className="flex flex-wrap items-center gap-1.5 text-sm text-muted">
      {t('newIssue.for')}
      <Choose
        label={t('issue.assignee')}
        choices={assigneeChoices(agents, people)}
        value={form.assignee}
        onChoose={form.setAssignee}
      />
      {t('newIssue.in')}
      <Choose
        label={t('issue.project')}
        choices={[
          { value: null, label: t('issues.noProject') },
          ...(projects.data ?? []).map(({ id: value, name }) => ({ value, label: name })),
        ]}
        value={form.project}
        onChoose={form.setProject}
      />
    </div>
  );
}

function WhoWakes({ agent }: { agent: Agent | undefined }) {
  const company = useCompany();
  const [wakes, text] = forecast(agent, company);
  const Icon = wakes ? BellRing : BellOff;
  return (
    <span role="status" className="inline-flex min-h-7 items-center gap-1.5 text-sm text-muted">
      <Icon size={14} aria-hidden className={wakes ? 'text-live' : undefined} />
      {text}
    </span>
  );
}

function forecast(agent: Agent | undefined, company: Company): [wakes: boolean, text: string] {
  if (!agent) return [false, t('newIssue.wakesNobody')];
  const { name } = agent;
  const reason = whyNotWoken(agent, company);
  if (reason === null) return [true, t('newIssue.wakes', { name })];
  return [false, t('newIssue.stopped', { name, reason: word('mentionReason', reason) })];
}
