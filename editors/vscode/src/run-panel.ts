// A run beside the model: the chart, and its steps, which the editor follows.

import * as vscode from "vscode";
import { randomBytes } from "node:crypto";
import { page, type Run } from "./answers";

/** The one panel there is. */
export class RunPanel {
  private static current: RunPanel | undefined;
  private readonly here = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor("editor.stackFrameHighlightBackground"),
    overviewRulerColor: new vscode.ThemeColor("editorOverviewRuler.findMatchForeground"),
  });

  private constructor(
    private readonly panel: vscode.WebviewPanel,
    private run: Run,
  ) {
    panel.webview.onDidReceiveMessage((message: { step?: unknown }) => {
      if (typeof message.step === "number") void this.go(message.step);
    });
    panel.onDidDispose(() => {
      this.here.dispose();
      RunPanel.current = undefined;
    });
  }

  /** Shows a run, in the panel that is there already if there is one. */
  static show(run: Run): void {
    if (!RunPanel.current) {
      const where = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: false };
      const panel = vscode.window.createWebviewPanel("sandal.run", run.property, where, { enableScripts: true, localResourceRoots: [] });
      RunPanel.current = new RunPanel(panel, run);
    }
    const { panel } = RunPanel.current;
    RunPanel.current.run = run;
    panel.title = run.property;
    panel.webview.html = page(run, randomBytes(16).toString("hex"));
    panel.reveal(undefined, false);
  }

  /** Shows where a step comes from. */
  private async go(index: number): Promise<void> {
    const place = this.run.steps[index]?.location;
    if (!place) return;
    const { start, end } = place.range;
    const range = new vscode.Range(start.line, start.character, end.line, end.character);
    const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(place.uri));
    const open = vscode.window.visibleTextEditors.find((editor) => editor.document === document);
    const editor = await vscode.window.showTextDocument(document, {
      viewColumn: open?.viewColumn ?? vscode.ViewColumn.One,
      preserveFocus: true,
    });
    for (const other of vscode.window.visibleTextEditors) other.setDecorations(this.here, []);
    editor.setDecorations(this.here, [range]);
    editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  }
}
