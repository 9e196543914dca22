import { Dialog } from '../../ui/dialog';

export function NewIssue({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="NewIssue" onClose={onClose}>
      {null}
    </Dialog>
  );
}
