// Renders a Helm chart as `helm template` does, for machines without Helm: Go's own templates and sprig, which are Helm's
// engine, with the functions that Helm adds. It knows no dependencies, no `lookup` of a cluster, and no Helm plugins.
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"sigs.k8s.io/yaml"
)

type object = map[string]interface{}

type list []string

func (l *list) String() string     { return strings.Join(*l, ",") }
func (l *list) Set(v string) error { *l = append(*l, v); return nil }

// What a cluster offers: `.Capabilities.APIVersions.Has "keda.sh/v1alpha1"`.
type apiVersions []string

func (versions apiVersions) Has(wanted string) bool {
	for _, version := range versions {
		if version == wanted {
			return true
		}
	}
	return false
}

// The chart's own files beside its templates: `.Files.Get "dashboards/metrics.json"`.
type files struct{ root string }

func (f files) Get(name string) string {
	content, err := os.ReadFile(filepath.Join(f.root, filepath.FromSlash(name)))
	if err != nil {
		return ""
	}
	return string(content)
}

func main() {
	var values, sets, apis list
	flag.Var(&values, "f", "a file of values; may be given several times, the last wins")
	flag.Var(&sets, "set", "one value, as path.to.it=value; may be given several times")
	flag.Var(&apis, "api-versions", "an API that the cluster has; may be given several times")
	namespace := flag.String("namespace", "default", "namespace of the release")
	isUpgrade := flag.Bool("is-upgrade", false, "render an upgrade instead of an installation")
	flag.Parse()
	if flag.NArg() != 2 {
		fail(fmt.Errorf("usage: render [options] <release name> <folder of the chart>"))
	}
	chart := load(filepath.Join(flag.Arg(1), "Chart.yaml"))
	merged := load(filepath.Join(flag.Arg(1), "values.yaml"))
	for _, file := range values {
		merged = merge(merged, load(file))
	}
	for _, one := range sets {
		merged = merge(merged, parseSet(one))
	}
	context := object{
		"Values": merged,
		"Chart":  capitalised(chart),
		"Files":  files{flag.Arg(1)},
		"Release": object{
			"Name": flag.Arg(0), "Namespace": *namespace, "Service": "Helm", "Revision": 1,
			"IsInstall": !*isUpgrade, "IsUpgrade": *isUpgrade,
		},
		"Capabilities": object{
			"APIVersions": apiVersions(apis),
			"KubeVersion": object{"Version": "v1.34.0", "Major": "1", "Minor": "34"},
		},
	}
	render(flag.Arg(1), chart["name"].(string), context)
}

func render(root, name string, context object) {
	all := template.New(name).Option("missingkey=zero")
	all.Funcs(functions(all))
	var names []string
	err := filepath.Walk(filepath.Join(root, "templates"), func(file string, info os.FileInfo, err error) error {
		if err != nil || info.IsDir() {
			return err
		}
		content, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		relative, _ := filepath.Rel(root, file)
		named := name + "/" + filepath.ToSlash(relative)
		names = append(names, named)
		_, err = all.New(named).Parse(string(content))
		return err
	})
	if err != nil {
		fail(err)
	}
	sort.Strings(names)
	for _, named := range names {
		base := filepath.Base(named)
		if strings.HasPrefix(base, "_") || !strings.HasSuffix(base, ".yaml") {
			continue
		}
		context["Template"] = object{"Name": named, "BasePath": name + "/templates"}
		var out bytes.Buffer
		if err := all.ExecuteTemplate(&out, named, context); err != nil {
			fail(err)
		}
		// Go prints a missing value so; Helm leaves nothing.
		text := strings.ReplaceAll(out.String(), "<no value>", "")
		for _, document := range strings.Split("\n"+text, "\n---") {
			if strings.TrimSpace(document) != "" {
				fmt.Printf("---\n# Source: %s\n%s\n", named, strings.TrimSpace(document))
			}
		}
	}
}

func functions(all *template.Template) template.FuncMap {
	added := sprig.TxtFuncMap()
	// They would let a chart read the environment of whoever installs it.
	delete(added, "env")
	delete(added, "expandenv")
	added["include"] = func(name string, data interface{}) (string, error) {
		var out bytes.Buffer
		err := all.ExecuteTemplate(&out, name, data)
		return out.String(), err
	}
	added["tpl"] = func(text string, data interface{}) (string, error) {
		copied, err := all.Clone()
		if err != nil {
			return "", err
		}
		parsed, err := copied.New("tpl").Parse(text)
		if err != nil {
			return "", err
		}
		var out bytes.Buffer
		err = parsed.Execute(&out, data)
		return strings.ReplaceAll(out.String(), "<no value>", ""), err
	}
	added["required"] = func(message string, value interface{}) (interface{}, error) {
		if value == nil || value == "" {
			return nil, fmt.Errorf("%s", message)
		}
		return value, nil
	}
	added["toYaml"] = func(value interface{}) string {
		text, err := yaml.Marshal(value)
		if err != nil {
			return ""
		}
		return strings.TrimSuffix(string(text), "\n")
	}
	added["fromYaml"] = func(text string) object {
		parsed := object{}
		if err := yaml.Unmarshal([]byte(text), &parsed); err != nil {
			parsed["Error"] = err.Error()
		}
		return parsed
	}
	added["toJson"] = func(value interface{}) string {
		text, _ := json.Marshal(value)
		return string(text)
	}
	added["fromJson"] = func(text string) object {
		parsed := object{}
		if err := json.Unmarshal([]byte(text), &parsed); err != nil {
			parsed["Error"] = err.Error()
		}
		return parsed
	}
	added["lookup"] = func(string, string, string, string) object { return object{} }
	return added
}

func load(file string) object {
	text, err := os.ReadFile(file)
	if err != nil {
		fail(err)
	}
	parsed := object{}
	if err := yaml.UnmarshalStrict(text, &parsed); err != nil {
		fail(fmt.Errorf("%s: %w", file, err))
	}
	return parsed
}

// Maps are merged, everything else is replaced, and null takes a default away.
func merge(base, over object) object {
	merged := object{}
	for key, value := range base {
		merged[key] = value
	}
	for key, value := range over {
		if value == nil {
			delete(merged, key)
			continue
		}
		inner, isMap := value.(object)
		below, wasMap := merged[key].(object)
		if isMap && wasMap {
			merged[key] = merge(below, inner)
		} else {
			merged[key] = value
		}
	}
	return merged
}

func parseSet(text string) object {
	path, value, found := strings.Cut(text, "=")
	if !found {
		fail(fmt.Errorf("--set %s: no value", text))
	}
	var parsed interface{}
	if err := yaml.Unmarshal([]byte(value), &parsed); err != nil {
		fail(fmt.Errorf("--set %s: %w", text, err))
	}
	keys := strings.Split(path, ".")
	for i := len(keys) - 1; i >= 0; i-- {
		parsed = object{keys[i]: parsed}
	}
	return parsed.(object)
}

// `.Chart.AppVersion` is `appVersion` in the file.
func capitalised(chart object) object {
	named := object{}
	for key, value := range chart {
		named[strings.ToUpper(key[:1])+key[1:]] = value
	}
	return named
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
