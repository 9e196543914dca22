import { useRead } from '../../data/read';
import { Dialog } from '../../ui/dialogs/dialog';
import { Markdown } from '../../ui/markdown/markdown';
import { Loading, Skeleton } from '../../ui/states';
import { Decide } from './decide';
import { bodyOf, RequestFacts, titleOf } from './request-facts';

interface DecideDialogProps {
  approvalId: string;
  onClose: () => void;
}

export function DecideDialog({ approvalId, onClose }: DecideDialogProps) {
  const approval = useRead('/api/approvals/{approvalId}', { path: { approvalId } });
  return (
    <Dialog title={approval.data ? titleOf(approval.data) : ''} onClose={onClose}>
      <Loading of={approval} skeleton={<Skeleton rows={3} />}>
        {(data) => (
          <div className="flex flex-col gap-4">
            {bodyOf(data) !== '' && <Markdown text={bodyOf(data)} />}
            <RequestFacts approval={data} />
            <Decide approval={data} onDone={onClose} />
          </div>
        )}
      </Loading>
    </Dialog>
  );
}
