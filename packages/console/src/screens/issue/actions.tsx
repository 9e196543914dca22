import { Ban, CircleCheckBig, EllipsisVertical, Link2, Play, RotateCcw, Undo2 } from 'lucide-react';
import { useAgents } from '../../data/directory';
import { isEnded } from '../../data/issue-moves';
import { useMoveIssue } from '../../data/issue-writes';
import { useMayWrite } from '../../data/rights';
import { t, word } from '../../i18n';
import { copyText } from '../../ui/browser/copy-text';
import { Button } from '../../ui/button';
import { Menu, MenuItem } from '../../ui/choices/menu';
import { showToast } from '../../ui/toast';
import { useAgentActions } from '../agents/use-agent-actions';
import type { Issue } from './issue';

export function Actions({ issue }: { issue: Issue }) {
  const mayWrite = useMayWrite();
  const move = useMoveIssue((_issue, to) => {
    showToast({
      text: t('issue.moved', { identifier: issue.identifier, status: word('issueStatus', to) }),
    });
  });
  const agent = useAgents().get(issue.assigneeAgentId);
  const { invoke } = useAgentActions();
  const hasEnded = isEnded(issue.status);
  if (!mayWrite) return null;
  return (
    <>
      {hasEnded ? (
        <Button
          icon={RotateCcw}
          isBusy={move.isPending}
          onClick={() => move.mutate({ issue, to: 'todo' })}
        >
          {t('issue.reopen')}
        </Button>
      ) : (
        <Button
          icon={CircleCheckBig}
          isBusy={move.isPending}
          onClick={() => move.mutate({ issue, to: 'done' })}
        >
          {t('issue.complete')}
        </Button>
      )}
      <Menu
        label={t('action.more')}
        align="end"
        className="inline-flex size-7 items-center justify-center rounded-md text-muted hover:bg-hover max-md:size-9"
        trigger={<EllipsisVertical size={15} aria-hidden />}
      >
        {(close) => {
          const and = (run: () => void) => () => {
            close();
            run();
          };
          return (
            <>
              {agent && !hasEnded && (
                <MenuItem
                  icon={Play}
                  onClick={and(() => invoke.mutate({ agent, issueId: issue.id }))}
                >
                  {t('issue.runAgain', { name: agent.name })}
                </MenuItem>
              )}
              {issue.status === 'in_progress' && (
                <MenuItem icon={Undo2} onClick={and(() => move.mutate({ issue, to: 'todo' }))}>
                  {t('issue.release')}
                </MenuItem>
              )}
              {'clipboard' in navigator && (
                <MenuItem
                  icon={Link2}
                  onClick={and(() => {
                    void copyText(location.href);
                    showToast({ text: t('issue.linkCopied') });
                  })}
                >
                  {t('issue.copyLink')}
                </MenuItem>
              )}
              {!hasEnded && (
                <MenuItem
                  icon={Ban}
                  tone="danger"
                  onClick={and(() => move.mutate({ issue, to: 'cancelled' }))}
                >
                  {t('issue.cancel')}
                </MenuItem>
              )}
            </>
          );
        }}
      </Menu>
    </>
  );
}
