// Properties in the test view.

import * as vscode from "vscode";
import type { Checked } from "./answers";

type Check = (uri: string, name: string, token: vscode.CancellationToken) => Promise<Checked>;
type Properties = (uri: string) => Promise<{ name: string; label: string; range: vscode.Range }[]>;

/** The tests: one for each property of each open model. */
export class PropertyTests implements vscode.Disposable {
  private readonly controller = vscode.tests.createTestController("sandal", "Sandal properties");
  private readonly parts: vscode.Disposable[] = [];
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly check: Check,
    private readonly properties: Properties,
  ) {
    this.controller.createRunProfile("Check", vscode.TestRunProfileKind.Run, (request, token) => this.run(request, token), true);
    this.parts.push(
      this.controller,
      vscode.workspace.onDidOpenTextDocument(() => this.refresh()),
      vscode.workspace.onDidChangeTextDocument(() => this.refresh()),
      vscode.workspace.onDidCloseTextDocument((document) => this.controller.items.delete(document.uri.toString())),
    );
  }

  dispose(): void {
    clearTimeout(this.timer);
    for (const part of this.parts) part.dispose();
  }

  /** Lists the properties anew, soon. */
  refresh(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      for (const document of vscode.workspace.textDocuments) {
        if (document.languageId === "sandal") void this.list(document).catch(() => undefined);
      }
    }, 300);
  }

  /** Notes answers that were asked for elsewhere. */
  tell(uri: string, checked: Checked): void {
    const file = this.controller.items.get(uri);
    if (!file) return;
    const known = checked.answers.map((answer) => file.children.get(answer.name)).filter((item) => item !== undefined);
    const run = this.controller.createTestRun(new vscode.TestRunRequest(known), "Check", false);
    for (const item of known) this.mark(run, item, checked);
    run.end();
  }

  private async list(document: vscode.TextDocument): Promise<void> {
    const uri = document.uri.toString();
    const found = await this.properties(uri);
    const name = vscode.workspace.asRelativePath(document.uri);
    const file = this.controller.items.get(uri) ?? this.controller.createTestItem(uri, name, document.uri);
    file.children.replace(
      found.map(({ name: id, label, range }) => {
        const item = file.children.get(id) ?? this.controller.createTestItem(id, label, document.uri);
        item.range = range;
        return item;
      }),
    );
    if (found.length > 0) this.controller.items.add(file);
    else this.controller.items.delete(uri);
  }

  private async run(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
    const run = this.controller.createTestRun(request);
    const wanted: vscode.TestItem[] = [];
    const add = (item: vscode.TestItem): void => {
      if (request.exclude?.includes(item)) return;
      if (item.children.size > 0) item.children.forEach(add);
      else wanted.push(item);
    };
    if (request.include) request.include.forEach(add);
    else this.controller.items.forEach(add);
    wanted.forEach((item) => run.enqueued(item));
    for (const item of wanted) {
      if (token.isCancellationRequested) {
        run.skipped(item);
        continue;
      }
      run.started(item);
      try {
        this.mark(run, item, await this.check(item.uri?.toString() ?? "", item.id, token));
      } catch (error) {
        run.errored(item, new vscode.TestMessage((error as Error).message));
      }
    }
    run.end();
  }

  private mark(run: vscode.TestRun, item: vscode.TestItem, checked: Checked): void {
    // A protocol over a range has an answer for each number.
    const mine = checked.answers.filter(({ name }) => name === item.id || (item.id.endsWith("[") && name.startsWith(item.id)));
    const words = mine.map(({ name, verdict, detail }) => `${name} ${verdict}${detail ? `: ${detail}` : ""}`).join("\n");
    const message = new vscode.TestMessage(words);
    if (item.uri && item.range) message.location = new vscode.Location(item.uri, item.range);
    if (mine.some(({ verdict }) => verdict === "violated")) run.failed(item, message);
    else if (mine.some(({ verdict }) => verdict === "unknown")) run.errored(item, message);
    else if (mine.length > 0) run.passed(item);
  }
}
