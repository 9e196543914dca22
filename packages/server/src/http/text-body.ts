export class TextBody {
  constructor(
    readonly type: string,
    readonly text: string,
  ) {}
}
