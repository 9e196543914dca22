# The three images for both architectures, with SBOM and provenance: docker buildx bake --push
# VERSION, REVISION, CREATED, SOURCE and REGISTRY come from the environment.
variable "REGISTRY" { default = "" }
variable "VERSION" { default = "local" }
variable "REVISION" { default = "unknown" }
variable "CREATED" { default = "unknown" }
variable "SOURCE" { default = "unknown" }

group "default" {
  targets = ["image"]
}

target "image" {
  name = "switchyard-${image}"
  matrix = {
    image = ["orchestration", "runner", "metrics"]
  }
  dockerfile = image == "metrics" ? "services/metrics/Dockerfile" : "services/orchestration/Dockerfile"
  target     = image
  platforms  = ["linux/amd64", "linux/arm64"]
  tags       = ["${REGISTRY}switchyard-${image}:${VERSION}"]
  attest     = ["type=sbom", "type=provenance,mode=max"]
  args = {
    VERSION  = VERSION
    REVISION = REVISION
    CREATED  = CREATED
    SOURCE   = SOURCE
  }
}
