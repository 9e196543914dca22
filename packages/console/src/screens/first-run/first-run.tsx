import { Page } from '../../ui/page';

export function FirstRun() {
  return <Page title="FirstRun">{null}</Page>;
}
