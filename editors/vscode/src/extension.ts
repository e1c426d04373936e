// Starts `sandalc lsp` for .sdl files, and shows what it answers: verdicts, runs, tolerance.

import * as vscode from "vscode";
import { LanguageClient, RevealOutputChannelOn, State, TransportKind } from "vscode-languageclient/node";
import { answerOf, serverSettings, type Answer, type Checked } from "./answers";
import { RunPanel } from "./run-panel";
import { findServer } from "./server";
import { PropertyTests } from "./tests";

let client: LanguageClient | undefined;
let status: vscode.StatusBarItem;
let output: vscode.OutputChannel;
let tests: PropertyTests;

/** Called by the editor when a model is opened. */
export async function activate(context: vscode.ExtensionContext): Promise<void> {
  output = vscode.window.createOutputChannel("Sandal");
  status = vscode.window.createStatusBarItem("sandal", vscode.StatusBarAlignment.Left);
  status.name = "Sandal";
  status.command = "sandal.showOutput";
  tests = new PropertyTests((uri, name, token) => ask<Checked>("sandal.check", [uri, name], token), properties);
  const register = (name: string, run: (...args: never[]) => unknown): void => {
    context.subscriptions.push(vscode.commands.registerCommand(name, run));
  };
  register("sandal.restart", start);
  register("sandal.showOutput", () => output.show(true));
  register("sandal.checkFile", () => withModel((uri) => check(uri)));
  register("sandal.showTolerance", () => withModel((uri) => tolerance(uri)));
  register("sandal.checkInTerminal", () => withModel(checkInTerminal));
  context.subscriptions.push(
    output,
    status,
    tests,
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("sandal.path")) void start();
      else if (event.affectsConfiguration("sandal")) void client?.sendNotification("workspace/didChangeConfiguration", { settings: { sandal: settings() } });
    }),
    { dispose: () => void client?.stop() },
  );
  await start();
}

/** Called by the editor when it closes. */
export async function deactivate(): Promise<void> {
  await client?.stop();
}

function settings(): Record<string, unknown> {
  return serverSettings((key) => vscode.workspace.getConfiguration("sandal").get(key));
}

/** The path of sandalc. Only the user says it, never a workspace: see `scope` in package.json. */
function configuredPath(): string {
  const found = vscode.workspace.getConfiguration("sandal").inspect<string>("path");
  return found?.globalValue ?? found?.defaultValue ?? "";
}

/** Starts the server, anew if it runs. */
async function start(): Promise<void> {
  await client?.stop().catch(() => undefined);
  client = undefined;
  const server = await findServer(configuredPath());
  if (!server.ok) {
    say("$(warning) sandalc is missing", server.why);
    const set = "Set the path";
    const how = "How to install it";
    const choice = await vscode.window.showWarningMessage(server.why, set, how);
    if (choice === set) await vscode.commands.executeCommand("workbench.action.openSettings", "sandal.path");
    if (choice === how) await vscode.commands.executeCommand("workbench.action.openWalkthrough", "sandalc.sandal#start");
    return;
  }
  const run = { command: server.path, args: ["lsp"], transport: TransportKind.stdio };
  client = new LanguageClient("sandal", "Sandal", { run, debug: run }, {
    documentSelector: [{ language: "sandal" }],
    outputChannel: output,
    revealOutputChannelOn: RevealOutputChannelOn.Never,
    initializationOptions: settings(),
    synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher("**/*.sdl") },
    middleware: { executeCommand: (command, args) => answer(command, args) },
  });
  client.onDidChangeState(({ newState }) => {
    if (newState === State.Running) say("$(check) Sandal", server.version);
    if (newState === State.Stopped) say("$(circle-slash) Sandal", "the language server has stopped");
  });
  await client.start();
  tests.refresh();
}

function say(text: string, tooltip: string): void {
  status.text = text;
  status.tooltip = tooltip;
  status.show();
}

/** Asks the server. */
function ask<T>(command: string, args: unknown[], token?: vscode.CancellationToken): Promise<T> {
  if (!client) return Promise.reject(new Error("sandalc does not run: see the command `Sandal: Restart Language Server`"));
  const params = { command, arguments: args };
  return client.sendRequest<T>("workspace/executeCommand", params, token);
}

async function properties(uri: string): Promise<{ name: string; label: string; range: vscode.Range }[]> {
  type Told = { name: string; label: string; range: { start: vscode.Position; end: vscode.Position } };
  const told = await ask<Told[]>("sandal.properties", [uri]);
  return told.map(({ name, label, range }) => ({
    name,
    label,
    range: new vscode.Range(range.start.line, range.start.character, range.end.line, range.end.character),
  }));
}

/** What a code lens asks for. */
async function answer(command: string, args: unknown[]): Promise<unknown> {
  const [uri, name, entry] = args as [string, (string | null)?, string?];
  switch (command) {
    case "sandal.check":
      return check(uri, name ?? undefined);
    case "sandal.showRun":
      return showRun(uri, name ?? undefined);
    case "sandal.tolerance":
      return tolerance(uri, name ?? undefined, entry);
    default:
      return ask(command, args);
  }
}

/** Does something that takes time, with a notification in which it can be cancelled. */
async function working<T>(title: string, work: (token: vscode.CancellationToken) => Promise<T>): Promise<T | undefined> {
  const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
  try {
    return await vscode.window.withProgress(options, (_, token) => work(token));
  } catch (error) {
    const { message, code } = error as { message: string; code?: number };
    if (code !== -32800) void vscode.window.showErrorMessage(message);
    return undefined;
  }
}

async function check(uri: string, name?: string): Promise<void> {
  const args = name === undefined ? [uri] : [uri, name];
  const found = await working("Checking", (token) => ask<Checked>("sandal.check", args, token));
  if (!found) return;
  tests.tell(uri, found);
  const violated = found.answers.filter((one: Answer) => one.verdict === "violated");
  const text = answerOf(found);
  if (violated.length === 0) {
    void vscode.window.showInformationMessage(text);
    return;
  }
  const show = "Show run";
  const choice = await vscode.window.showWarningMessage(text, show);
  if (choice === show) await showRun(uri, violated[0].name);
}

async function showRun(uri: string, name?: string): Promise<void> {
  const args = name === undefined ? [uri] : [uri, name];
  const found = await working("Looking for a run", (token) => ask<Checked>("sandal.showRun", args, token));
  if (!found) return;
  tests.tell(uri, found);
  if (found.run) RunPanel.show(found.run);
  else void vscode.window.showInformationMessage(`${answerOf(found)}: there is no run to show`);
}

async function tolerance(uri: string, name?: string, entry?: string): Promise<void> {
  const args = [uri, name ?? null, entry ?? null];
  const found = await working("Which faults are survived?", (token) => ask<{ tolerance: string }>("sandal.tolerance", args, token));
  if (!found) return;
  const document = await vscode.workspace.openTextDocument({ content: found.tolerance, language: "plaintext" });
  await vscode.window.showTextDocument(document, { preview: true, viewColumn: vscode.ViewColumn.Beside });
}

function withModel(work: (uri: string) => unknown): unknown {
  const document = vscode.window.activeTextEditor?.document;
  if (document?.languageId === "sandal") return work(document.uri.toString());
  return vscode.window.showInformationMessage("Open a model (.sdl) first.");
}

async function checkInTerminal(uri: string): Promise<void> {
  const server = await findServer(configuredPath());
  if (!server.ok) return void vscode.window.showWarningMessage(server.why);
  const file = vscode.Uri.parse(uri).fsPath;
  const execution = new vscode.ProcessExecution(server.path, ["check", file]);
  const task = new vscode.Task({ type: "process" }, vscode.TaskScope.Workspace, "check", "sandal", execution, "$sandalc");
  await vscode.tasks.executeTask(task);
}
